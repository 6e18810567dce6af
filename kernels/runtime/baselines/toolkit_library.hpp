// Libraries of the CUDA toolkit that are opened at run time: where they lie, and what version they say they are.
#pragma once

#include <library_types.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace warpwright::baselines {

/// Where a file of the toolkit may be, the loader's own path first.
inline std::vector<std::string> toolkit_paths(const std::string& file) {
  std::vector<std::string> paths{file};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable)) paths.push_back(std::string(home) + "/lib64/" + file);
  paths.push_back("/usr/local/cuda/lib64/" + file);
  return paths;
}

/// "13.1.0"; `part_of` gives a libraryPropertyType's number.
template <class Part>
std::string version_text(Part part_of) {
  std::string text;
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL})
    text += (text.empty() ? "" : ".") + std::to_string(part_of(part));
  return text;
}

}  // namespace warpwright::baselines
