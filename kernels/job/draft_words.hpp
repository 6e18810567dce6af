// Words of a drafted job: quotes and lists of JSON, and what is said of a kernel's buffers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

/// As JSON has texts.
std::string in_quotes(const std::string& text);
std::string listed(const std::vector<std::string>& texts);

/// Values around a number: half of it and twice it too, if these are whole.
std::string around(std::int64_t number);

std::string lower_case(std::string text);

bool contains(const std::vector<std::string>& all, const std::string& one);

/// "in", "out" or "inout", by what the kernel's text does with it.
std::string drafted_role(const Parameter& parameter);

/// What a buffer of that role leaves to say.
std::string what_to_see_to(const std::string& role, const Parameter& parameter);

/// What is said where the file has no kernel for an oracle.
std::string no_oracle();

}  // namespace warpwright::job
