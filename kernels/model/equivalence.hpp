// Equivalent mutants as their declarations beside a device file name them: "tiled.mutants" speaks of "tiled.cuh".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

/// A mistake that a rule plants in one place and that changes nothing, for a reason that only people see.
struct Equivalence {
  std::string file;    ///< include path of the device file that the mistake is in; "plan" for one in a plan
  std::string rule;    ///< "drop a guard"
  std::string change;  ///< "if (i < count) -> if (true)", as `conform --mutants` prints it
  int occurrence = 1;  ///< counts the places of the file that read alike, from 1
  std::string reason;
  std::string declared_in;  ///< include path of the .mutants file
  int line = 0;             ///< of that file

  /// "kernels/reduce/persistent.mutants:7"
  std::string place() const;
};

/// "kernels/reduce/persistent.mutants" for the .cuh of that name, and back.
std::string mutants_file_of(std::string_view device_file);
std::string device_file_of(std::string_view mutants_file);
bool is_mutants_file(std::string_view path);

/// Reads a .mutants file. Lines beginning with '#' and empty lines are skipped. A line that begins at the margin is a
/// reason; the indented lines below it are the mutants that it holds for:
///
///     both are powers of two, of which the larger is 32 or more: they never differ by one
///       off by one in a bound | stride < P.block_size -> stride + 1 < P.block_size
///       off by one in a bound #2 | stride < P.block_size -> stride + 1 < P.block_size
///       kernels/block/scan.cuh | drop a guard | if (i < count) -> if (true)
///       plan | skip the initialisation of an output | memset of partials -> (nothing)
///
/// "#2" is the second of the places that read alike. A mutant is one of the device file beside it, for every kernel
/// that includes it; one of the named file or of the plan it is for the kernel of the device file alone. Throws
/// std::invalid_argument that names the file and the line.
std::vector<Equivalence> parse_equivalences(const std::string& path, const std::string& text);

}  // namespace warpwright
