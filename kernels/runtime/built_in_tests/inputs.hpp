// Arguments that built-ins are tried with: special values in all pairs, then drawn ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpwright::built_ins {

/// Threads of a trial, one case each.
inline constexpr int kCases = 2048;
/// 64-bit words of a value in memory.
inline constexpr int kWords = 2;

/// A kind of argument: i int, u unsigned, l long long, U unsigned long long, L long, z short, Z unsigned short, n int
/// from 0 to 9, f float, d double, h half, b bfloat16, H and B two of these; floats s from -3 to 3, p from 1e-3 to 1e3,
/// t from 0 to 1, and S, P, T doubles of the same.
struct Kind {
  char letter;
  std::string type;
};
const std::vector<Kind>& kinds();
/// The number of a kind in that list. Throws std::invalid_argument.
int kind_of(char letter);

/// All arguments: of each kind, each of three places, each case, kWords words.
std::vector<std::uint64_t> inputs();
/// Where the argument begins among them.
std::size_t input_at(int kind, int place, int item);

}  // namespace warpwright::built_ins
