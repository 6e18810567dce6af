// Runs the table of built-ins: one device text of a group, on the SIMT executor and on a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/built_in_tests/rows.hpp"

namespace warpwright::built_ins {

/// The device headers of kernels/runtime.
SourceTree headers_of_the_tree();

/// Those and "table.cuh", whose kernel computes all rows of the group.
SourceTree sources_of(const Group& group);
/// Its name.
inline constexpr const char* kEntry = "warpwright::trial::table";

/// What every row gave in every case: kWords words each, the row first.
using Results = std::vector<std::uint64_t>;
std::size_t result_at(std::size_t row, int item);

/// Throws std::runtime_error with what the compiler or the executor says.
Results on_host(const Group& group);
/// Throws std::runtime_error with what NVRTC says; the cubin for `target` otherwise.
std::string cubin_of(const Group& group, const std::string& target);
/// Runs it on the first GPU. Throws std::runtime_error.
Results on_gpu(const Group& group);

/// How far two results of a row may be apart, and are: empty where that is well.
std::string difference(const Row& row, const std::uint64_t* a, const std::uint64_t* b);
/// Likewise of a result and what the reference says of the arguments of that case.
std::string error(const Row& row, const std::uint64_t* result, const std::vector<std::uint64_t>& inputs, int item);
/// The call with its arguments, for messages.
std::string describe(const Row& row, const std::vector<std::uint64_t>& inputs, int item);

}  // namespace warpwright::built_ins
