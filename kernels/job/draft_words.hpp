// Text pieces of drafts: quotes and lists of JSON, and notes about a kernel's buffers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

/// As a JSON string.
std::string in_quotes(const std::string& text);
std::string listed(const std::vector<std::string>& texts);

/// A number with its half and its double, as far as these are integers; 1 and 2 for 1.
std::vector<std::int64_t> around(std::int64_t number);

/// Whether the name is that of a row's length in memory: in_pitch, stride, lda.
bool is_pitch(const std::string& name);

/// The expression with that number replaced by a name, and the number before it by "(NAME - 1)": "(n + 255) / 256".
std::string with_name(const std::string& expression, std::int64_t number, const std::string& name);

/// The factors of a product, without brackets around them. A text that is no product, such as a sum or a quotient, is
/// one factor.
std::vector<std::string> factors_of(const std::string& text);

/// The number of elements of `size` bytes in a number of bytes: "n * 4" gives "n". Empty if it is no product with the
/// factor `size`.
std::string elements_in(const std::string& bytes, std::size_t size);

/// Whether it contains a hexadecimal number: 0xFF, (1 << 4 | 0x1).
bool is_hexadecimal(const std::string& text);

/// "in", "out" or "inout", by how the kernel uses the parameter.
std::string drafted_role(const Parameter& parameter);

/// Whether it is an integer type that may hold an index.
bool is_index_type(const std::string& type);

/// A note on what to check about a buffer of that role, of which the host code allocates that many elements (empty if
/// it does not say so). An integer may be an index into another buffer.
std::string what_to_see_to(const std::string& role, const Parameter& parameter, const std::string& type,
                           const std::string& allocated);

/// The line of a comment on an input of integers.
std::string asks_for_indices();

/// The first of these names that means a width (0), height (1) or depth (2): image_width, columns, nx, imageW, size_x.
/// Empty if there is none.
std::string size_in_dimension(const std::vector<std::string>& names, std::size_t dimension);

/// `path` relative to the folder of `file`.
std::string beside(const std::filesystem::path& file, const std::filesystem::path& path);

/// The element type of the first `extern __shared__` array in a text: "float". Empty if there is none.
std::string shared_array(const std::string& text);

bool is_one_word(const std::string& text);

/// The text for a file without a kernel that could be the oracle.
std::string no_oracle();

/// The text for a bound that is not known.
std::string guessed_bound();

}  // namespace warpwright::job
