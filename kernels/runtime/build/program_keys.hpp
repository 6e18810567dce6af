// Cache keys of programs: hashes of their sources, their instances and the compiler.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/messages/toolchain.hpp"

namespace warpwright::worker {

/// Whether NVRTC compiles for that target.
bool is_for_gpu(std::string_view target);

/// Thread-safe. Caches hashes of the sources.
class ProgramKeys {
 public:
  /// The sources must outlive it.
  explicit ProgramKeys(const SourceTree& sources) : sources_(sources) {}

  /// A key that differs between any two programs that may compile to different code.
  std::string of(const std::string& target, const Program& program, const Toolchain& toolchain);

  /// How the program is compiled.
  CompileKind kind(const Program& program);

 private:
  /// The same, under the lock.
  CompileKind known_kind(const Program& program);

  const SourceTree& sources_;
  std::mutex mutex_;
  std::map<std::string, std::string> source_hashes_;  ///< by the program's sources
  std::map<std::string, CompileKind> kinds_;          ///< the same
  std::string host_calls_;                            ///< hashes of what modules of host functions include
  std::string host_headers_;                          ///< hash of what every module for the simulator may include
};

}  // namespace warpwright::worker
