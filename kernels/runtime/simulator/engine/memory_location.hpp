// Describes an address for a finding.
#pragma once

#include <cstdint>
#include <string>

namespace warpwright::simulator {

struct MemoryLocation {
  std::string buffer;       ///< or the shared array, or the variable; empty if there is none
  std::int64_t offset = 0;  ///< from its first byte
  std::string words;        ///< "at byte 4 of buffer 'in' of 64 bytes"
};

}  // namespace warpwright::simulator
