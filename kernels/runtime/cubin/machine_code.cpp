// Decodes the parts of instructions whose encoding is known.
#include "kernels/runtime/cubin/machine_code.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/runtime/cubin/cubin.hpp"

namespace warpwright::gpu {
namespace {

constexpr std::size_t kBytes = 16;
/// From this architecture on the low 8 bits of a branch's offset are at bit 16.
constexpr int kWideOffsets = 90;

/// The meaning of the low 9 bits of an opcode; the bits above tell where its operands are.
struct Meaning {
  std::uint16_t base;
  Unit unit;
  int operations = 0;
};

constexpr std::array kMeanings{
    Meaning{0x020, Unit::fp32, 1},       // FMUL
    Meaning{0x021, Unit::fp32, 1},       // FADD
    Meaning{0x023, Unit::fp32, 2},       // FFMA
    Meaning{0x022, Unit::fp32, 0},       // FSWZADD
    Meaning{0x049, Unit::fp32, 4},       // FFMA2
    Meaning{0x04a, Unit::fp32, 2},       // FMUL2
    Meaning{0x04b, Unit::fp32, 2},       // FADD2
    Meaning{0x008, Unit::integer},       // FSEL
    Meaning{0x009, Unit::integer},       // FMNMX
    Meaning{0x00a, Unit::integer},       // FSET
    Meaning{0x00b, Unit::integer},       // FSETP
    Meaning{0x028, Unit::fp64, 1},       // DMUL
    Meaning{0x029, Unit::fp64, 1},       // DADD
    Meaning{0x02a, Unit::fp64},          // DSETP
    Meaning{0x02b, Unit::fp64, 2},       // DFMA
    Meaning{0x03f, Unit::matrix},        // DMMA
    Meaning{0x03c, Unit::matrix},        // HMMA
    Meaning{0x037, Unit::matrix},        // IMMA
    Meaning{0x07a, Unit::matrix},        // QMMA
    Meaning{0x1f0, Unit::matrix},        // HGMMA
    Meaning{0x1f1, Unit::matrix},        // IGMMA
    Meaning{0x1f3, Unit::matrix},        // QGMMA
    Meaning{0x1c5, Unit::integer},       // WARPGROUP
    Meaning{0x030, Unit::half, 2},       // HADD2
    Meaning{0x031, Unit::half, 4},       // HFMA2
    Meaning{0x032, Unit::half, 2},       // HMUL2
    Meaning{0x033, Unit::half},          // HSET2
    Meaning{0x034, Unit::half},          // HSETP2
    Meaning{0x035, Unit::half, 4},       // HFMA2.MMA
    Meaning{0x024, Unit::multiply},      // IMAD
    Meaning{0x025, Unit::multiply},      // IMAD.WIDE
    Meaning{0x027, Unit::multiply},      // IMAD.HI
    Meaning{0x026, Unit::multiply},      // IDP
    Meaning{0x002, Unit::integer},       // MOV
    Meaning{0x003, Unit::integer},       // P2R
    Meaning{0x004, Unit::integer},       // R2P
    Meaning{0x005, Unit::integer},       // CS2R
    Meaning{0x006, Unit::integer},       // VOTE
    Meaning{0x007, Unit::integer},       // SEL
    Meaning{0x00c, Unit::integer},       // ISETP
    Meaning{0x010, Unit::integer},       // IADD3
    Meaning{0x011, Unit::integer},       // LEA
    Meaning{0x012, Unit::integer},       // LOP3
    Meaning{0x013, Unit::integer},       // IABS
    Meaning{0x016, Unit::integer},       // PRMT
    Meaning{0x017, Unit::integer},       // IMNMX
    Meaning{0x019, Unit::integer},       // SHF
    Meaning{0x01a, Unit::integer},       // BMSK
    Meaning{0x01b, Unit::integer},       // SGXT
    Meaning{0x01c, Unit::integer},       // PLOP3
    Meaning{0x036, Unit::integer},       // VIADD
    Meaning{0x03e, Unit::integer},       // F2FP
    Meaning{0x045, Unit::integer},       // I2FP
    Meaning{0x046, Unit::integer},       // VIADDMNMX
    Meaning{0x048, Unit::integer},       // VIMNMX
    Meaning{0x108, Unit::special},       // MUFU
    Meaning{0x104, Unit::conversion},    // F2F
    Meaning{0x105, Unit::conversion},    // F2I
    Meaning{0x106, Unit::conversion},    // I2F
    Meaning{0x107, Unit::conversion},    // FRND
    Meaning{0x100, Unit::conversion},    // FLO
    Meaning{0x101, Unit::conversion},    // BREV
    Meaning{0x109, Unit::conversion},    // POPC
    Meaning{0x110, Unit::fp64},          // F2F with doubles
    Meaning{0x111, Unit::conversion},    // F2I with 64 bits on either side
    Meaning{0x112, Unit::conversion},    // I2F with 64 bits on either side
    Meaning{0x113, Unit::conversion},    // FRND with 64 bits
    Meaning{0x102, Unit::special},       // FCHK
    Meaning{0x180, Unit::global_load},   // LD
    Meaning{0x181, Unit::global_load},   // LDG
    Meaning{0x185, Unit::global_store},  // ST
    Meaning{0x186, Unit::global_store},  // STG
    Meaning{0x183, Unit::local},         // LDL
    Meaning{0x187, Unit::local},         // STL
    Meaning{0x184, Unit::shared_load},   // LDS
    Meaning{0x03b, Unit::shared_load},   // LDSM
    Meaning{0x188, Unit::shared_store},  // STS
    Meaning{0x044, Unit::shared_store},  // STSM
    Meaning{0x18c, Unit::shared_load},   // ATOMS
    Meaning{0x18d, Unit::shared_load},   // ATOMS.CAS
    Meaning{0x18e, Unit::atomic},        // RED
    Meaning{0x1a3, Unit::atomic},        // ATOMG with an offset in a uniform register
    Meaning{0x1a6, Unit::atomic},        // RED likewise
    Meaning{0x1a8, Unit::atomic},        // ATOMG
    Meaning{0x1a9, Unit::atomic},        // ATOMG.CAS
    Meaning{0x189, Unit::shuffle},       // SHFL
    Meaning{0x1a1, Unit::shuffle},       // MATCH
    Meaning{0x1ae, Unit::async},         // LDGSTS
    Meaning{0x1af, Unit::integer},       // LDGDEPBAR
    Meaning{0x1ba, Unit::async},         // UBLKCP
    Meaning{0x1bb, Unit::async},         // UBLKRED
    Meaning{0x1bc, Unit::async},         // UBLKPF
    Meaning{0x1b4, Unit::async},         // UTMALDG
    Meaning{0x1b5, Unit::async},         // UTMASTG
    Meaning{0x1b6, Unit::async},         // UTMAREDG
    Meaning{0x1b8, Unit::async},         // UTMAPF
    Meaning{0x1bd, Unit::async},         // STAS
    Meaning{0x1b7, Unit::integer},       // UTMACMDFLUSH
    Meaning{0x1b9, Unit::integer},       // UTMACCTL
    Meaning{0x1b0, Unit::integer},       // ARRIVES, of copies by LDGSTS
    Meaning{0x1a7, Unit::integer},       // SYNCS: arrivals and waits at barriers in shared memory
    Meaning{0x1b2, Unit::integer},       // SYNCS, which sets up a barrier
    Meaning{0x182, Unit::constant},      // LDC
    Meaning{0x0b9, Unit::uniform},       // ULDC
    Meaning{0x1ac, Unit::uniform},       // LDCU
    Meaning{0x1c2, Unit::uniform},       // R2UR
    Meaning{0x1c3, Unit::uniform},       // S2UR
    Meaning{0x119, Unit::special},       // S2R
    Meaning{0x11a, Unit::integer},       // DEPBAR
    Meaning{0x11d, Unit::barrier},       // BAR
    Meaning{0x192, Unit::integer},       // MEMBAR
    Meaning{0x1ab, Unit::integer},       // ERRBAR
    Meaning{0x18f, Unit::integer},       // CCTL
    Meaning{0x1c6, Unit::integer},       // FENCE
    Meaning{0x1c7, Unit::integer},       // UCGABAR
    Meaning{0x1c4, Unit::integer},       // REDUX
    Meaning{0x02f, Unit::integer},       // ELECT
    Meaning{0x02e, Unit::integer},       // ACQBULK
    Meaning{0x02d, Unit::integer},       // PREEXIT
    Meaning{0x118, Unit::nothing},       // NOP
};

/// By the base of an opcode.
constexpr auto kByBase = [] {
  std::array<const Meaning*, 0x200> table{};
  for (const Meaning& meaning : kMeanings) table[meaning.base] = &meaning;
  return table;
}();

const Meaning* meaning_of(std::uint16_t opcode) {
  return kByBase[opcode & 0x1ff];
}

/// Base opcodes: 0x080 to 0x0ff are uniform instructions; 0x140 to 0x15f are branches, calls, and instructions for the
/// barriers at which lanes converge.
Unit unit_of(std::uint16_t opcode) {
  if (const Meaning* meaning = meaning_of(opcode)) return meaning->unit;
  if ((opcode & 0x1e0) == 0x140) return Unit::branch;
  return (opcode & 0x180) == 0x080 ? Unit::uniform : Unit::unknown;
}

struct Word {
  std::uint64_t low, high;

  std::uint64_t bits(int at, int count) const {
    const std::uint64_t all = at >= 64 ? high >> (at - 64) : at == 0 ? low : low >> at | high << (64 - at);
    return all & ((std::uint64_t{1} << count) - 1);
  }
};

/// The width of a load or store, in bytes for each lane.
int access_bytes(const Word& word) {
  constexpr std::array widths{1, 1, 2, 2, 4, 8, 16, 16};
  return widths[word.bits(73, 3)];
}

/// Bytes of __constant__ variables: bank 3. Bank 0 has the parameters, and bank 2 numbers of the compiler.
int constant_bytes(const Word& word, std::uint16_t opcode, Unit unit) {
  constexpr std::uint64_t kVariables = 3;
  constexpr std::array<std::uint16_t, 4> kLoads{0x182, 0x0b9, 0x0bb, 0x1ac};  // LDC, ULDC, ULDC with an index, LDCU
  if (word.bits(54, 5) != kVariables) return 0;
  if (std::ranges::find(kLoads, opcode & 0x1ff) != kLoads.end()) return access_bytes(word);
  constexpr int kSecond = 5, kThird = 3;  // above the base: which operand is in constant memory
  const int form = opcode >> 9;
  const bool computes = unit == Unit::fp32 || unit == Unit::fp64 || unit == Unit::half || unit == Unit::multiply ||
                        unit == Unit::integer || unit == Unit::special || unit == Unit::conversion;
  if (!computes || (form != kSecond && form != kThird)) return 0;
  return unit == Unit::fp64 ? 8 : 4;
}

/// Whether no predicate decides if the instruction has an effect.
bool is_unconditional(const Word& word) {
  constexpr std::uint64_t kTrue = 7;
  return word.bits(12, 4) == kTrue && word.bits(87, 5) == kTrue;
}

/// A branch that only divergent warps take: BRA.DIV (2 in bits 32 and 33) or BRA.CONV (3). BRA.U has 1, for a predicate
/// that all threads share.
bool is_of_divergent_warps(const Word& word) {
  return word.bits(33, 1) != 0;
}

bool ends_here(const Word& word, std::uint16_t opcode) {
  constexpr std::array<std::uint16_t, 7> kEnds{0x147, 0x149, 0x14a, 0x14c,  // BRA, BRX, JMP, JMX
                                               0x14d, 0x150, 0x15b};        // EXIT, RET, KILL
  const bool is_branch = (opcode & 0x1ff) == kEnds.front();
  return std::ranges::find(kEnds, opcode & 0x1ff) != kEnds.end() && is_unconditional(word) &&
         !(is_branch && is_of_divergent_warps(word));
}

Instruction decode(const Word& word, std::int64_t number, int compute_capability) {
  constexpr std::uint16_t kBranchBase = 0x147;
  const auto opcode = static_cast<std::uint16_t>(word.bits(0, 12));
  const Meaning* meaning = meaning_of(opcode);
  Instruction made{.unit = unit_of(opcode),
                   .opcode = opcode,
                   .operations = meaning != nullptr ? meaning->operations : 0,
                   .bytes = 0,
                   .constant = constant_bytes(word, opcode, unit_of(opcode)),
                   .stall = static_cast<int>(word.bits(105, 4)),
                   .signals = static_cast<int>(word.bits(110, 3)),
                   .reads_done = static_cast<int>(word.bits(113, 3)),
                   .waits = static_cast<std::uint8_t>(word.bits(116, 6))};
  if (made.unit == Unit::shared_load || made.unit == Unit::shared_store) made.bytes = access_bytes(word);
  made.ends = ends_here(word, opcode);
  if ((opcode & 0x1ff) == kBranchBase && !is_of_divergent_warps(word)) {
    // In units of 4 bytes, relative to the next instruction.
    std::int64_t offset = static_cast<std::int64_t>(word.bits(34, 48) << 16) >> 16;
    if (compute_capability >= kWideOffsets) offset = offset * 256 + static_cast<std::int64_t>(word.bits(16, 8));
    made.target = number + 1 + offset * 4 / static_cast<std::int64_t>(kBytes);
  }
  return made;
}

}  // namespace

std::vector<Instruction> machine_code(std::string_view image, std::string_view symbol, int compute_capability) {
  const std::string_view text = code_of(image, symbol);
  std::vector<Instruction> code;
  for (std::size_t at = 0; at + kBytes <= text.size(); at += kBytes) {
    Word word{};
    std::memcpy(&word, text.data() + at, sizeof word);
    code.push_back(decode(word, static_cast<std::int64_t>(code.size()), compute_capability));
  }
  const auto size = static_cast<std::int64_t>(code.size());
  for (Instruction& one : code)
    if (one.target && (*one.target < 0 || *one.target >= size)) one.target.reset();
  return code;
}

int count_fp64(const std::vector<Instruction>& code) {
  constexpr std::uint16_t kMatrixOfDoubles = 0x03f;
  return static_cast<int>(std::ranges::count_if(
      code, [](const Instruction& one) { return one.unit == Unit::fp64 || (one.opcode & 0x1ff) == kMatrixOfDoubles; }));
}

}  // namespace warpwright::gpu
