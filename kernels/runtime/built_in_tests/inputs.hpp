// The arguments that built-ins are tested with: all pairs of special values, then random values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpwright::built_ins {

/// The number of threads of a trial. Each thread tests one case.
inline constexpr int kCases = 2048;
/// The number of 64-bit words that a value takes in memory.
inline constexpr int kWords = 2;

/// A kind of argument: i int, u unsigned, l long long, U unsigned long long, L long, z short, Z unsigned short, n int
/// from 0 to 9, f float, d double, h half, b bfloat16, H and B pairs of these; floats s from -3 to 3, p from 1e-3 to
/// 1e3, t from 0 to 1, and S, P, T the same as doubles.
struct Kind {
  char letter;
  std::string type;
};
const std::vector<Kind>& kinds();
/// The index of that kind. Throws std::invalid_argument if there is none.
int kind_of(char letter);

/// All arguments: for each kind, each of three positions, and each case, kWords words.
std::vector<std::uint64_t> inputs();
/// Where the argument begins in inputs().
std::size_t input_at(int kind, int place, int item);

}  // namespace warpwright::built_ins
