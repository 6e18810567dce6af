// Where the CUDA toolkit and its libraries are on this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::gpu {

/// $CUDA_HOME, else $CUDA_PATH, else the usual folder.
std::filesystem::path toolkit_folder();

/// Where to look for a library of the toolkit, "libnvrtc.so": in a chosen toolkit, and then nowhere else; else where
/// the loader looks, and in the usual folder.
std::vector<std::string> toolkit_library(const std::string& name);

}  // namespace warpwright::gpu
