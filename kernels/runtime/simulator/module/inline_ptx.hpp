// Finds inline PTX in device code, and replaces what the simulator models by calls of its model.
#pragma once

#include <map>
#include <set>
#include <string>

namespace warpwright::simulator {

/// The text with every `asm` statement replaced whose instructions are all among those in docs/matrix_units.md; lines
/// keep their numbers. Other statements stay, and end a launch as not modelled. The calls are declared in
/// kernels/runtime/cpu_model/ptx.cuh.
std::string with_modelled_ptx(const std::string& text);

/// Where the compiler finds the text of a file before that: the file itself if it is no kernel's, or has no inline PTX.
std::string original_path(const std::string& file, const std::string& text);

/// Assembler text that puts these files, as they were before, into a module, for messages that quote them.
std::string source_texts(const std::map<std::string, std::string>& sources, const std::set<std::string>& files);

}  // namespace warpwright::simulator
