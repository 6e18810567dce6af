// Which elements of an output are compared, and how messages name its elements.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/job/job.hpp"

namespace warpwright::job {

/// Reads "compare" of an output. Throws JobError.
Compared compared_of(const Node& node, const JobBuffer& buffer);

/// An element of a buffer in messages. A count that is a product of extents gives the dimensions: "out[1, 63] of 3 x
/// 65" for "rows * columns"; anything else has one dimension: "out[128]". A member of a vector follows its element:
/// "out[3].x".
std::string element_name(const JobBuffer& buffer, const Names& names, std::int64_t index);

}  // namespace warpwright::job
