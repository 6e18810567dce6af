// Files for results. Their errors: "cannot write the JUnit report x.xml: No such file or directory. Name a file ..."
#pragma once

#include <filesystem>
#include <string_view>

namespace warpwright {

// Throws std::runtime_error if the file cannot be written: to be called before the work whose results it is for. Leaves
// no new file. Does not open what is no regular file, such as a pipe.
void require_writable(const std::filesystem::path& file, std::string_view what);

// Writes a file; throws std::runtime_error if that fails.
void write_file(const std::filesystem::path& file, std::string_view what, std::string_view text);

}  // namespace warpwright
