// The contents of a problem's in buffers, made on the host.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/model/problem.hpp"

namespace warpwright {

/// The stream that buffer number `index` of a problem is drawn from.
std::uint64_t buffer_seed(const Input& input, std::size_t index);

/// Which of the generator's spreads (a warpwright::generate::spread) fills a buffer.
int spread_of(const Buffer& buffer, Distribution distribution);

/// The contents of one buffer.
Bytes generate_buffer(const Buffer& buffer, Distribution distribution, std::uint64_t seed);

/// The in and inout buffers among `buffers`, in order; each drawn from its own stream.
std::vector<Bytes> generate_inputs(const std::vector<Buffer>& buffers, const Input& input);

}  // namespace warpwright
