// Runs the rows of the table of built-ins, in the simulator and on a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/built_in_tests/rows.hpp"

namespace warpwright::built_ins {

/// The device headers of kernels/runtime.
SourceTree headers_of_the_tree();

/// These headers and "table.cuh", whose kernel computes all rows of the group.
SourceTree sources_of(const Group& group);
/// The kernel's name.
inline constexpr const char* kEntry = "warpwright::trial::table";

/// The results of all rows in all cases: kWords words each. The row is the slowest index.
using Results = std::vector<std::uint64_t>;
std::size_t result_at(std::size_t row, int item);

/// Throws std::runtime_error with the message of the compiler or the simulator.
Results on_host(const Group& group);
/// The cubin for `target`. Throws std::runtime_error with NVRTC's message.
std::string cubin_of(const Group& group, const std::string& target);
/// Runs the group on the first GPU. Throws std::runtime_error.
Results on_gpu(const Group& group);

/// How far two results of a row are apart, if that is too far; otherwise empty.
std::string difference(const Row& row, const std::uint64_t* a, const std::uint64_t* b);
/// The same for a result and the reference for the arguments of that case.
std::string error(const Row& row, const std::uint64_t* result, const std::vector<std::uint64_t>& inputs, int item);
/// The call with its arguments, for messages.
std::string describe(const Row& row, const std::vector<std::uint64_t>& inputs, int item);

}  // namespace warpwright::built_ins
