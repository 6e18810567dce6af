// The CUDA toolkit's folder and its libraries.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::gpu {

/// $CUDA_HOME, else $CUDA_PATH, else the usual folder.
std::filesystem::path toolkit_folder();

/// Candidate paths of a library of the toolkit, such as "libnvrtc.so": only in the toolkit that a variable names, if
/// one does; else as the loader searches, and then in the usual folder.
std::vector<std::string> toolkit_library(const std::string& name);

}  // namespace warpwright::gpu
