// Declarations of equivalent mutants beside a device file: "tiled.mutants" is for "tiled.cuh".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

/// A mutant that behaves like its kernel, for a reason that only a person can see.
struct Equivalence {
  std::string file;    ///< include path of the device file that is changed; "plan" for a change of the plan
  std::string rule;    ///< "drop a guard"
  std::string change;  ///< "if (i < count) -> if (true)", as `conform --mutants` prints it
  int occurrence = 1;  ///< which of the places in the file with the same text, from 1
  std::string reason;
  std::string declared_in;  ///< include path of the .mutants file
  int line = 0;             ///< of that file

  /// "kernels/reduce/persistent.mutants:7"
  std::string place() const;
};

/// The .mutants file of a .cuh file, "kernels/reduce/persistent.mutants", and the reverse.
std::string mutants_file_of(std::string_view device_file);
std::string device_file_of(std::string_view mutants_file);
bool is_mutants_file(std::string_view path);

/// Parses a .mutants file. Lines beginning with '#' and empty lines are skipped. A line without indentation is a
/// reason. The indented lines below it are the mutants that it applies to:
///
///     both are powers of two, of which the larger is 32 or more: they never differ by one
///       off by one in a bound | stride < P.block_size -> stride + 1 < P.block_size
///       off by one in a bound #2 | stride < P.block_size -> stride + 1 < P.block_size
///       kernels/block/scan.cuh | drop a guard | if (i < count) -> if (true)
///       plan | skip the initialisation of an output | memset of partials -> (nothing)
///
/// "#2" is the second place with the same text. A mutant of the device file itself applies to every kernel that
/// includes the file. A mutant of another file, or of the plan, applies only to the kernel of this device file. Throws
/// std::invalid_argument that names the file and the line.
std::vector<Equivalence> parse_equivalences(const std::string& path, const std::string& text);

}  // namespace warpwright
