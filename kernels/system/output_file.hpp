// Tests, before work whose results go to a file, whether that file can be written.
#pragma once

#include <filesystem>
#include <string_view>

namespace warpwright {

// Throws std::runtime_error if not: "cannot write the JUnit report x.xml: No such file or directory". Leaves no new
// file. Does not open what is no regular file, such as a pipe.
void require_writable(const std::filesystem::path& file, std::string_view what);

}  // namespace warpwright
