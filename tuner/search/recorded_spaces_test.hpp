// Locates the recorded spaces for tests; they are not part of the repository.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright::tuner {

/// Path of a recorded space; empty if their folder is missing.
inline std::string recorded_space(const std::string& name) {
  const std::filesystem::path root = WARPWRIGHT_SOURCE_DIR;
  const std::filesystem::path file = root / "../shared/data/spaces" / (name + ".json.gz");
  return std::filesystem::exists(file) ? std::filesystem::canonical(file).string() : std::string();
}

}  // namespace warpwright::tuner
