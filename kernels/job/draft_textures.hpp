// Drafts the texture arguments of a job, from the source, with questions about what it does not say.
#pragma once

#include <string>
#include <vector>

#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

/// A draft for a parameter of type cudaTextureObject_t: an argument, and a buffer with the parameter's name.
struct DraftTexture {
  std::string argument;  ///< a member of "arguments"
  std::string type;      ///< the element type of the buffer
  std::string count;     ///< its number of elements
  std::string note;      ///< what is not known
};

/// The dimensions and the type follow from texture fetches in device code. Filter and other modes follow from
/// descriptors in the host code. Extents are matched with its sizes by their names, or else by their order.
DraftTexture draft_texture(const DeviceText& text, const Parameter& parameter, const std::vector<std::string>& extents);

}  // namespace warpwright::job
