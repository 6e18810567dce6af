// A source file with the headers that it includes from its own project put in their places.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::job {

/// One text of several files. Lines `#line N "FILE"` say where each stretch is from.
struct FlatText {
  std::string text;
  /// Includes of headers that are nowhere, and that are neither CUDA's nor the host's: "FILE:LINE: <helper_cuda.h>".
  std::vector<std::string> missing = {};
  bool brings_halves = false;  ///< a header that was left out includes <cuda_fp16.h> and <cuda_bf16.h>
};

/// Headers in quotes are looked for beside the file that includes them, and all in `folders`. What has device code of
/// CUDA's is left as it is, in angle brackets; what only host code uses leaves an empty line. A header with an include
/// guard or `#pragma once` is put in once. Throws std::runtime_error where the file cannot be read or a header includes
/// itself without end.
FlatText flat_text(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders);

}  // namespace warpwright::job
