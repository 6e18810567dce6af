// The instructions of a kernel in a cubin: the unit that each one uses, what it waits for, and the targets of branches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::gpu {

/// The unit that an instruction uses.
enum class Unit : std::uint8_t {
  fp32,         ///< additions, products and multiply-adds of floats
  fp64,         ///< arithmetic and comparisons of doubles, and conversions between them and floats
  half,         ///< packed halves
  matrix,       ///< products of small matrices
  multiply,     ///< integer multiply-adds, which share lanes with floats
  integer,      ///< other work on registers: integers, logic, comparisons, moves
  special,      ///< approximations: 1 / x, 1 / sqrt(x), 2^x, log2(x), sin, cos
  conversion,   ///< between types, roundings, counts of bits
  global_load,  ///< including loads from generic addresses
  global_store,
  local,  ///< spilled registers and arrays of a thread
  shared_load,
  shared_store,
  atomic,    ///< on global memory, and reductions there
  shuffle,   ///< between lanes
  async,     ///< copies from global into shared memory
  constant,  ///< loads from constant memory
  uniform,   ///< once for a warp
  branch,
  barrier,
  nothing,  ///< padding
  unknown
};

/// One instruction of sm_75 and newer, 16 bytes.
struct Instruction {
  Unit unit = Unit::unknown;
  std::uint16_t opcode = 0;  ///< the low 12 bits
  /// Of one lane: 2 for a multiply-add, 1 for an addition or a product of floats or doubles, 4 and 2 for packed halves.
  int operations = 0;
  int bytes = 0;           ///< that a load from shared memory, or a store to it, moves for each lane
  int constant = 0;        ///< bytes of __constant__ variables that it reads, by a load or as an operand
  int stall = 0;           ///< clocks until its warp may issue the next instruction
  int signals = 7;         ///< the barrier that signals its result, 0 to 5; 7: none
  int reads_done = 7;      ///< the same for the barrier that signals that its operands were read
  std::uint8_t waits = 0;  ///< bit i: it begins when barrier i is clear
  /// For a branch within the kernel: the number of the target instruction. None for a branch that only divergent warps
  /// take, at a vote or a shuffle (BRA.DIV): the code there has the lanes meet, and jumps back.
  std::optional<std::int64_t> target = {};
  bool ends = false;  ///< never continues with the next instruction: an unconditional branch, a return, an exit
  bool operator==(const Instruction&) const = default;
};

/// The instructions of one kernel of a cubin, including padding after the end. `compute_capability` is that of the
/// cubin: 75 and newer. Throws std::runtime_error for a file that is no cubin or lacks the symbol. Sources: opcodes as
/// nvdisasm names them on sm_75 to sm_90 (their low 12 bits were checked there); positions of stalls and barriers: Z.
/// Jia et al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, 2018, section 2; the offset of a
/// branch, its conditions, the widths of accesses and the banks of constants: from known code, compiled for every
/// architecture.
std::vector<Instruction> machine_code(std::string_view image, std::string_view symbol, int compute_capability);

/// The number of instructions that compute with doubles. Conversions of integers do not count: conversions between
/// 64-bit integers and floats, which an integer division needs, have the same opcodes as those with doubles.
int count_fp64(const std::vector<Instruction>& code);

}  // namespace warpwright::gpu
