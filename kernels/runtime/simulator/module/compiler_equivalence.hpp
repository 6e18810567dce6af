// Decides whether the compiler made the same code from two sources of device code.
#pragma once

#include <filesystem>

namespace warpwright::simulator {

/// Whether code, data, and symbols with their sizes are the same in both. Then the simulator cannot distinguish them
/// except by the words of a finding. The source texts that a module contains for messages, and lines and columns of
/// debug information, are ignored. False if a file cannot be read.
bool is_same_code(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace warpwright::simulator
