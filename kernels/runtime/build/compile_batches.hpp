// Groups programs into modules, and collects their source files.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kernels/model/program.hpp"

namespace warpwright::worker {

/// Groups the programs with the indices `wanted` into modules of at most `size`, by source, in the order of the first
/// of each source. `kind_of` says how a program is compiled.
std::vector<std::vector<std::size_t>> batches_of(const std::vector<Program>& programs, std::vector<std::size_t> wanted,
                                                 std::size_t size,
                                                 const std::function<CompileKind(const Program&)>& kind_of);

/// Identifies the sources of a program, as a key of maps.
std::string sources_text(const Program& program);

/// The program's own files in the tree and all that they include.
std::vector<std::string> files_of(const SourceTree& tree, const Program& program);

/// The files that compiling these programs needs, the CPU model included.
SourceTree needed_sources(const SourceTree& tree, const std::vector<Program>& programs);

}  // namespace warpwright::worker
