// What the SIMT executor finds wrong with a kernel, as plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/model/plan.hpp"

namespace warpwright::host {

enum class FindingKind {
  out_of_bounds,         ///< an access outside every buffer, or outside the shared array it indexes
  misaligned,            ///< an address that is no multiple of the access's size
  input_written,         ///< a store to a buffer whose role is `in`
  barrier_divergence,    ///< threads of a block that do not meet at one __syncthreads
  bad_warp_mask,         ///< a mask that omits its caller, names lanes that are not there, or disagrees with another
  hang,                  ///< nothing can run, or nothing gets on, or the step limit is reached
  illegal_launch,        ///< a launch that the device refuses
  unknown_entry,         ///< a kernel or constant that the module does not have
  trap,                  ///< the kernel called __trap
  uninitialised_read,    ///< a load of global or shared memory that nobody wrote
  race,                  ///< two accesses that nothing orders, at least one of them a plain store
  uninitialised_local,   ///< a float in an output that holds the pattern of locals that nobody wrote
  wrong_arguments,       ///< a launch passes what its kernel does not take: see argument_mismatch
  unfinished_copy,       ///< memory is used, or a kernel ends, while an asynchronous copy is under way
  scratch_not_restored,  ///< self-restoring scratch that is not all zero after the run
};

/// Every byte of a local that nothing initialises.
inline constexpr unsigned char uninitialised_byte = 0xfe;

/// The kind in words, as it is stored and printed: "out of bounds", "barrier divergence", ...
std::string_view word_of(FindingKind kind);

/// A thread of a launch and the source line where it was. The file is relative to the source tree.
struct Place {
  std::string file;
  int line = 0;  ///< 0 where it is not known
  Dim3 block{0, 0, 0}, thread{0, 0, 0};

  bool operator==(const Place&) const = default;
};

/// One thing that is wrong. `other` is the second party of a race, of a barrier that threads do not share, or of masks
/// that disagree; its line is 0 where there is none.
struct Finding {
  FindingKind kind = FindingKind::out_of_bounds;
  std::string message;  ///< one sentence
  std::string entry;    ///< the kernel, as the plan spells it
  Place place, other;
  std::string buffer;         ///< name of the buffer or shared array, empty where there is none
  std::int64_t offset = 0;    ///< bytes from the start of that buffer; may be negative or past its end
  std::uint64_t address = 0;  ///< in this run; 0 where no memory is concerned

  bool operator==(const Finding&) const = default;
};

/// The finding on one line: kind, message, place, buffer, kernel.
std::string describe(const Finding& finding);

}  // namespace warpwright::host
