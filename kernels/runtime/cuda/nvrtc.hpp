// Compiles device code to cubins with NVRTC, for any architecture, with or without a GPU in the machine.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"

namespace warpwright::gpu {

/// A cubin for one or more programs, or the compiler's log.
struct Cubin {
  bool ok = false;
  bool diagnosed = false;  ///< where it is not ok: the log says what is wrong with the source
  std::string image;
  std::vector<std::map<std::string, Instance>> instances;     ///< one per program
  std::vector<std::map<std::string, std::string>> constants;  ///< one per program: symbols by C++ name
  std::string log;
};

class Nvrtc {
 public:
  /// Throws std::runtime_error that says what to install or set when the toolkit is missing or too old.
  Nvrtc();

  /// "13.0"
  const std::string& version() const;

  /// Compute capabilities that can be compiled for: 75, 80, ...
  const std::vector<int>& architectures() const;

  /// Everything but sources, programs and target that can change the result; part of the cache key.
  std::string fingerprint() const;

  /// All programs into one cubin; one error fails them all. `target` is "sm_XX". Throws std::runtime_error where a
  /// source includes a header of the toolkit's that is not there.
  Cubin compile(const SourceTree& sources, const std::vector<Program>& programs, const std::string& target) const;
};

}  // namespace warpwright::gpu
