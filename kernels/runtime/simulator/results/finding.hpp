// The faults of a kernel that the simulator finds, as plain values.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/core/verdict.hpp"
#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// Locals that nothing initialises are filled with this byte.
inline constexpr unsigned char uninitialised_byte = 0xfe;

/// A thread of a launch and the source line where it was. The file is relative to the source tree.
struct ThreadLocation {
  std::string file;
  int line = 0;  ///< 0 if not known
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  int column = 0;  ///< from 1; 0 if not known

  bool operator==(const ThreadLocation&) const = default;
};

/// "FILE:LINE:COLUMN", as editors and compilers take it.
std::string location_of(const ThreadLocation& at);

/// "block (0, 0, 0), thread (1, 0, 0)"
std::string thread_of(const ThreadLocation& at);

/// Both texts.
std::string describe(const ThreadLocation& at);

/// One fault. `other` is the second thread of a race, of a barrier that threads do not share, or of masks that
/// disagree; its line is 0 if there is none.
struct Finding {
  FindingKind kind = FindingKind::out_of_bounds;
  std::string message;  ///< one sentence
  std::string entry;    ///< the kernel, as the plan spells it
  ThreadLocation location, other;
  std::string buffer;         ///< name of the buffer or shared array, empty if there is none
  std::int64_t offset = 0;    ///< bytes from the start of that buffer; may be negative or past its end
  std::uint64_t address = 0;  ///< in this run; 0 if no memory is concerned

  bool operator==(const Finding&) const = default;
};

bool is_at_line_of(const Finding& one, const Finding& other);

/// A finding that an execution tolerates.
struct ToleratedFinding {
  StrictRule rule = StrictRule::same_value_stores;
  Finding finding;

  bool operator==(const ToleratedFinding&) const = default;
};

/// The finding on one line: location, kind, message, threads, address, kernel: "FILE:LINE:COLUMN: race: ...; block (0,
/// 0, 0), thread (1, 0, 0) and FILE:LINE:COLUMN, block ...; in KERNEL".
std::string describe(const Finding& finding);

}  // namespace warpwright::simulator
