// Whether two modules of device code are the same program, whatever their texts are.
#pragma once

#include <filesystem>

namespace warpwright::simulator {

/// Whether the bytes of code and data, and the symbols with their sizes, are the same in both: then the simulator can
/// tell one from the other by nothing but the words of a finding. Texts of device code, which a module holds for
/// messages, and lines and columns of the debugger are left out. No, where a file cannot be read.
bool is_same_code(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace warpwright::simulator
