// What a compiler is given at once: which programs become one module, and the files that they are made of.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kernels/model/program.hpp"

namespace warpwright::worker {

/// Those at the places `wanted`, at most `size` in a module: one source is read once, and what was asked for first
/// comes first. `launches` says which launch from the device.
std::vector<std::vector<std::size_t>> batches_of(const std::vector<Program>& programs, std::vector<std::size_t> wanted,
                                                 std::size_t size, const std::function<bool(const Program&)>& launches);

/// What is known of a program by its sources alone is known by this.
std::string sources_text(const Program& program);

/// The files of the tree that the program is made of.
std::vector<std::string> files_of(const SourceTree& tree, const Program& program);

/// The files that the programs' sources include; the whole runtime part for the host, whose compiler adds its own.
SourceTree needed_sources(const SourceTree& tree, const std::vector<Program>& programs);

}  // namespace warpwright::worker
