// The catalogue: every pattern and kernel that the build found, and the device sources they are compiled from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/equivalence.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright {

/// Include path -> text of every .cuh under the kernel folders, and of every .mutants beside one.
using SourceTree = std::map<std::string, std::string>;

class Catalogue {
 public:
  /// Throws std::logic_error for a kernel without a pattern, a name used twice, or a .mutants file with no .cuh beside
  /// it, and std::invalid_argument for one that does not read.
  Catalogue(std::vector<Pattern> patterns, std::vector<Kernel> kernels, SourceTree sources);

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<Kernel>& kernels() const { return kernels_; }
  const SourceTree& sources() const { return sources_; }

  /// Throws std::invalid_argument with the list of known names.
  const Pattern& pattern(std::string_view name) const;
  /// "transpose/tiled"; throws std::invalid_argument with the list of known names.
  const Kernel& kernel(std::string_view full_name) const;
  /// Kernels whose pattern or pattern/kernel matches the shell glob; throws std::invalid_argument for no match.
  std::vector<const Kernel*> matching(const std::string& glob) const;
  /// Kernels that match at least one of the globs, each once, in the catalogue's order; all of them for no globs.
  std::vector<const Kernel*> matching(const std::vector<std::string>& globs) const;

  /// What `matching` may be asked for by name: patterns, each followed by its kernels ("transpose/tiled").
  std::vector<std::string> names() const;

  /// What is declared beside a device file; nothing for a file without declarations.
  const std::vector<Equivalence>& equivalences_of(const std::string& device_file) const;
  /// By the device files that they stand beside.
  const std::map<std::string, std::vector<Equivalence>>& equivalences() const { return equivalences_; }

  /// This one and more beside it. Throws as the constructor does, and std::logic_error for two texts of one path.
  Catalogue with(const std::vector<Pattern>& patterns, const std::vector<Kernel>& kernels,
                 const SourceTree& sources) const;

  /// Hash over the text of a source file and of everything it includes from the tree.
  std::string source_hash(const std::string& source) const;

 private:
  std::vector<Pattern> patterns_;
  std::vector<Kernel> kernels_;
  SourceTree sources_;
  std::map<std::string, std::vector<Equivalence>> equivalences_;
};

/// What this build was made with: kernels/ and the folders of WARPWRIGHT_KERNELS.
const Catalogue& catalogue();

/// CUDA as it is on the CPU, and its own headers there: what modules for the simulator are compiled with, and no CUDA
/// compiler reads.
inline constexpr std::string_view kCpuModel = "kernels/runtime/cpu_model/";
inline constexpr std::string_view kCpuHeaders = "kernels/runtime/cpu_headers/";
inline bool is_cpu_model(std::string_view path) {
  return path.starts_with(kCpuModel) || path.starts_with(kCpuHeaders);
}

/// How modules of functions that the host calls between steps find them.
inline constexpr std::string_view kHostCalls = "kernels/runtime/host_steps/host_call.cuh";

/// What device code gets for `#include <cuda.h>`, on every target.
inline constexpr std::string_view kDriverTypes = "kernels/runtime/driver_types.cuh";

/// The lines of a translation unit that include the header with these macros. What the header itself includes from the
/// tree, and what comes behind it, does not see them.
std::string include_lines(const SourceTree& tree, const std::string& header, const Definitions& definitions);

/// The files of `tree` that `source` includes, itself first, each once.
std::vector<std::string> includes_of(const SourceTree& tree, const std::string& source);

}  // namespace warpwright
