// Warnings about the time of a trial or of a kernel, which the database keeps as one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct Warning {
  // Steps of the plan are not in the time: because the job says so, or because the pattern says so for all its kernels.
  enum class Kind { untimed_by_job, untimed_by_pattern, other };
  Kind kind = Kind::other;
  std::string text{};  // as people read it

  bool operator==(const Warning&) const = default;
};

// The warning that these steps, such as "memset overflow, launch fill", are not in the time.
Warning untimed_warning(Warning::Kind, std::string_view steps);

// Adds a warning to a stored text. An empty warning adds nothing.
void add_warning(std::string& stored, std::string_view warning);

// The warnings in a stored text.
std::vector<Warning> parse_warnings(std::string_view stored);
std::string stored_text(const std::vector<Warning>&);

}  // namespace warpwright
