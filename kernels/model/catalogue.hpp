// The catalogue: all patterns and kernels that the build found, with the device sources that they are compiled from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/equivalence.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright {

/// Maps the include path to the text, for every .cuh under the kernel folders and every .mutants file beside one.
using SourceTree = std::map<std::string, std::string>;

class Catalogue {
 public:
  /// Throws std::logic_error for a kernel without a pattern, a name that is used twice, or a .mutants file without its
  /// .cuh. Throws std::invalid_argument for a .mutants file that cannot be parsed.
  Catalogue(std::vector<Pattern> patterns, std::vector<Kernel> kernels, SourceTree sources);

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<Kernel>& kernels() const { return kernels_; }
  const SourceTree& sources() const { return sources_; }

  /// Throws std::invalid_argument with the known names.
  const Pattern& pattern(std::string_view name) const;
  /// By full name: "transpose/tiled". Throws std::invalid_argument with the known names.
  const Kernel& kernel(std::string_view full_name) const;
  /// Kernels whose pattern or full name matches the shell glob. An alias of a pattern can stand for its name. Throws
  /// std::invalid_argument if there are none.
  std::vector<const Kernel*> matching(const std::string& glob) const;
  /// Kernels that match at least one of the globs, each once, in the catalogue's order. All kernels if there are no
  /// globs.
  std::vector<const Kernel*> matching(const std::vector<std::string>& globs) const;

  /// The settings of a pattern's aliases that the globs name; empty if one of them matches its own name.
  std::vector<Settings> settings_of_aliases(const Pattern& pattern, const std::vector<std::string>& globs) const;

  /// All names that `matching` accepts: patterns, each followed by its aliases and its kernels ("transpose/tiled").
  std::vector<std::string> names() const;

  /// The equivalent mutants declared for a device file; none if it has no .mutants file.
  const std::vector<Equivalence>& equivalences_of(const std::string& device_file) const;
  /// The same for all device files, by their paths.
  const std::map<std::string, std::vector<Equivalence>>& equivalences() const { return equivalences_; }

  /// This catalogue with more patterns and kernels. Throws like the constructor, and std::logic_error if two different
  /// sources have one path.
  Catalogue with(const std::vector<Pattern>& patterns, const std::vector<Kernel>& kernels,
                 const SourceTree& sources) const;

  /// Hash of the text of a source file and of all files that it includes from the tree.
  std::string source_hash(const std::string& source) const;

 private:
  std::vector<Pattern> patterns_;
  std::vector<Kernel> kernels_;
  SourceTree sources_;
  std::map<std::string, std::vector<Equivalence>> equivalences_;
};

/// The catalogue of this build: kernels/ and the folders in WARPWRIGHT_KERNELS.
const Catalogue& catalogue();

/// CUDA's built-ins for the CPU's compiler. Only modules for the simulator are compiled with these headers.
inline constexpr std::string_view kCpuModel = "kernels/runtime/cpu_model/";
inline constexpr std::string_view kCpuHeaders = "kernels/runtime/cpu_headers/";
inline bool is_cpu_model(std::string_view path) {
  return path.starts_with(kCpuModel) || path.starts_with(kCpuHeaders);
}

/// How a module of functions that the CPU calls between steps exports them.
inline constexpr std::string_view kHostCalls = "kernels/runtime/host_steps/host_call.cuh";

/// The header that device code gets for `#include <cuda.h>`, on every target.
inline constexpr std::string_view kDriverTypes = "kernels/runtime/driver_types.cuh";

/// Lines of a translation unit that include the header with these macros. Files that the header includes from the tree,
/// and code after it, do not see the macros.
std::string include_lines(const SourceTree& tree, const std::string& header, const Definitions& definitions);

/// The files of `tree` that `source` includes, directly or not. `source` is the first, and each file is listed once.
std::vector<std::string> includes_of(const SourceTree& tree, const std::string& source);

}  // namespace warpwright
