// Words of a drafted job: quotes and lists of JSON, and what is said of a kernel's buffers.
#pragma once

#include <cstdint>
#include <filesystem>
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

/// Whether a number in it is spelt so: 0xFF, (1 << 4 | 0x1).
bool is_hexadecimal(const std::string& text);

bool contains(const std::vector<std::string>& all, const std::string& one);

/// "in", "out" or "inout", by what the kernel's text does with it.
std::string drafted_role(const Parameter& parameter);

/// What a buffer of that role leaves to say.
std::string what_to_see_to(const std::string& role, const Parameter& parameter);

/// The first of these names that says that it is the width (0), height (1) or depth (2) of something: image_width,
/// columns, nx, imageW, size_x; empty where none does.
std::string size_in_dimension(const std::vector<std::string>& names, std::size_t dimension);

/// The path as a file says it that stands at `file`: from its folder on.
std::string beside(const std::filesystem::path& file, const std::filesystem::path& path);

/// The type of the elements of the first `extern __shared__` array of a text: "float"; empty where it has none.
std::string shared_array(const std::string& text);

bool is_one_word(const std::string& text);

/// What is said where the file has no kernel for an oracle.
std::string no_oracle();

}  // namespace warpwright::job
