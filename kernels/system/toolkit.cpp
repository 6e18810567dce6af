// Finds the CUDA toolkit.
#include "kernels/system/toolkit.hpp"

#include <cstdlib>

namespace warpwright::gpu {
namespace {

/// Null if no variable names a toolkit.
const char* chosen_toolkit() {
  const char* const home = std::getenv("CUDA_HOME");
  return home != nullptr ? home : std::getenv("CUDA_PATH");
}

}  // namespace

std::filesystem::path toolkit_folder() {
  const char* const home = chosen_toolkit();
  return home != nullptr ? home : "/usr/local/cuda";
}

std::vector<std::string> toolkit_library(const std::string& name) {
  std::vector<std::string> found;
  for (const char* version : {"", ".13", ".12"}) {
    if (chosen_toolkit() == nullptr) found.push_back(name + version);
    found.push_back((toolkit_folder() / "lib64" / (name + version)).string());
  }
  return found;
}

}  // namespace warpwright::gpu
