// Replaces includes of headers of the user's project by the headers themselves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::job {

/// One text from several files. Lines `#line N "FILE"` say where each part comes from.
struct FlatText {
  std::string text;
  /// Includes that were not found, and that belong neither to CUDA nor to host code: "FILE:LINE: \"helper.h\"". Those
  /// in branches of #if that are not compiled do not count.
  std::vector<std::string> missing = {};
  /// The names of these, and of headers in angle brackets that were not found and are not those of C, C++, the system
  /// or CUDA: device code may need them.
  std::vector<std::string> absent = {};
  bool brings_halves = false;  ///< a header that was left out includes <cuda_fp16.h> and <cuda_bf16.h>
};

/// Who compiles a text.
enum class Side { device, host };

/// A header in quotes is searched in the folder of the file that includes it, and any header in `folders`. Includes of
/// CUDA's device headers stay, in angle brackets. Includes that only host code uses leave an empty line. For the host,
/// all headers of CUDA are replaced by host.cuh, and those of other libraries stay. A header with an include guard or
/// `#pragma once` is inserted only once. Throws std::runtime_error if the file cannot be read, or
/// if a header includes itself without end.
FlatText flat_text(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders,
                   Side side = Side::device);

}  // namespace warpwright::job
