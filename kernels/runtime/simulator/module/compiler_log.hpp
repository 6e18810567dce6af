// Reads what the host compiler says about a module.
#pragma once

#include <string>
#include <vector>

namespace warpwright::simulator {

/// The warnings of a log about locals that are read before they are written, one per line, without mark-up:
/// "kernels/reduce/sequential.cuh:12:7: 'sum' is used uninitialized".
std::vector<std::string> uninitialised_locals(const std::string& log);

/// The line of a compiler's output about an error of the system (disk space, memory, processes, files); empty if there
/// is none.
std::string refused_by_system(const std::string& log);

/// Whether an error is in the source: "FILE:LINE:COLUMN: error: ", or a symbol that a linker does not find.
bool is_about_source(const std::string& log);

}  // namespace warpwright::simulator
