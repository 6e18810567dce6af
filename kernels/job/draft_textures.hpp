// Drafts the texture and tensor map arguments of a job, from the source, with questions about what it does not say.
#pragma once

#include <string>
#include <vector>

#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

/// Whether it is the type of a texture or of a tensor map.
bool is_bound_type(const std::string& type);

/// A draft for a parameter of such a type: an argument, and a buffer with the parameter's name.
struct DraftTexture {
  std::string argument;  ///< a member of "arguments"
  std::string type;      ///< the element type of the buffer
  std::string count;     ///< its number of elements
  std::string note;      ///< what is not known
};

/// The dimensions and the type of a texture follow from fetches in device code. Filter and other modes follow from
/// descriptors in the host code. Extents are matched with sizes by their names, or else by their order. Boxes of tensor
/// maps are left open.
DraftTexture draft_texture(const DeviceText& text, const Parameter& parameter, const std::vector<std::string>& extents);

}  // namespace warpwright::job
