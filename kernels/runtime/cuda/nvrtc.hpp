// Compiles device code to cubins with NVRTC, for any architecture. Works without a GPU.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"

namespace warpwright::gpu {

/// A cubin for one or more programs, or the compiler's log.
struct Cubin {
  bool ok = false;
  bool diagnosed = false;  ///< if it is not ok: the log says what is wrong with the source
  std::string image;
  std::vector<std::map<std::string, Instance>> instances;     ///< one per program
  std::vector<std::map<std::string, std::string>> constants;  ///< one per program: symbols by C++ name
  std::string log;
};

class Nvrtc {
 public:
  /// Throws std::runtime_error that says what to install or set if the toolkit is missing or too old.
  Nvrtc();

  /// "13.0"
  const std::string& version() const;

  /// Compute capabilities that can be compiled for: 75, 80, ...
  const std::vector<int>& architectures() const;

  /// Identifies everything that changes the result, except sources, programs and target; part of the cache key.
  std::string fingerprint() const;

  /// Compiles all programs into one cubin; an error in one fails all. `target` is "sm_XX". `try_quickly` compiles first
  /// without optimization: if the optimizer is slow, programs that do not compile, such as those with too much shared
  /// memory, fail in a fraction of the time. Throws std::runtime_error if a source includes a header of the toolkit
  /// that is missing.
  Cubin compile(const SourceTree& sources, const std::vector<Program>& programs, const std::string& target,
                bool try_quickly = false) const;
};

}  // namespace warpwright::gpu
