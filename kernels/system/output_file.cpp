// Opens a file to see whether it can be written.
#include "kernels/system/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace warpwright {

void require_writable(const std::filesystem::path& file, std::string_view what) {
  std::error_code error;
  const bool is_new = !std::filesystem::exists(file, error);
  if (!is_new && !std::filesystem::is_regular_file(file, error) && !std::filesystem::is_directory(file, error)) return;
  if (!std::ofstream(file, std::ios::app))
    throw std::runtime_error(fmt::format("cannot write {} {}: {}. Name a file in a folder you can write", what,
                                         file.string(), std::strerror(errno)));
  if (is_new) std::filesystem::remove(file, error);
}

}  // namespace warpwright
