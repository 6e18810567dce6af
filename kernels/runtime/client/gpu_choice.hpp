// The choice of GPUs on the command line.
#pragma once

#include <string>
#include <vector>

#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::worker {

/// "first", "all", or indices as nvidia-smi counts: "1", "0,2".
class GpuChoice {
 public:
  /// Throws std::invalid_argument that lists the accepted words.
  explicit GpuChoice(const std::string& text);

  /// The chosen ones among `found`, in its order. Throws std::runtime_error for an index that none of them has;
  /// `of_what` is the kind of GPU for that message: "sm_90".
  std::vector<gpu::GpuInfo> among(std::vector<gpu::GpuInfo> found, const std::string& of_what) const;

 private:
  bool first_ = false;
  std::vector<int> indices_;  ///< none: all
};

}  // namespace warpwright::worker
