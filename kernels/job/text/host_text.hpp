// The source of a function that the CPU runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

struct HostText {
  std::string text;                             ///< for the CPU's compiler
  std::optional<GlobalFunction> function = {};  ///< absent if the source does not show it, or shows several
};

/// Of a .cu file: the function of that name with all declarations that it needs, since the rest of the file need not
/// compile; throws std::runtime_error if the file does not define it. The text has `others` too. Of another file:
/// everything, with the headers of the user's project in place.
HostText host_text(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders,
                   const std::string& function, const std::vector<std::string>& others = {});

}  // namespace warpwright::job
