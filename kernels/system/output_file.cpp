// Opens a file to see whether it can be written; writes one.
#include "kernels/system/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace warpwright {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view what) {
  throw std::runtime_error(fmt::format("cannot write {} {}: {}. Name a file in a folder you can write", what,
                                       file.string(), std::strerror(errno)));
}

}  // namespace

void require_writable(const std::filesystem::path& file, std::string_view what) {
  std::error_code error;
  const bool is_new = !std::filesystem::exists(file, error);
  if (!is_new && !std::filesystem::is_regular_file(file, error) && !std::filesystem::is_directory(file, error)) return;
  if (!std::ofstream(file, std::ios::app)) refuse(file, what);
  // A link to a file that was not there stays; what it leads to goes.
  if (is_new) std::filesystem::remove(std::filesystem::canonical(file), error);
}

void write_file(const std::filesystem::path& file, std::string_view what, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) refuse(file, what);
}

}  // namespace warpwright
