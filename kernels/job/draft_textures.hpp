// The texture arguments of a drafted job: what the text says of them, and what it leaves to say.
#pragma once

#include <string>
#include <vector>

#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

/// What a kernel's parameter of type cudaTextureObject_t is drafted as: an argument over a buffer that is called so.
struct DraftTexture {
  std::string argument;  ///< of "arguments"
  std::string type;      ///< of the buffer's elements
  std::string count;     ///< of these
  std::string note;      ///< what was not known
};

/// Fetches in the device code say the dimensions and the type of what is read; the host code's descriptors, wherever
/// they are filled, the filter and the like. Which extents are its sizes goes by their names, else by their order.
DraftTexture draft_texture(const DeviceText& text, const Parameter& parameter, const std::vector<std::string>& extents);

}  // namespace warpwright::job
