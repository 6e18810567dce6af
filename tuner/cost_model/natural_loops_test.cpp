// Tests of finding loops in handmade instruction sequences.
#include "tuner/cost_model/natural_loops.hpp"

#include <gtest/gtest.h>

namespace warpwright::tuner {
namespace {

using gpu::Instruction;
using gpu::Unit;
using Loops = std::vector<std::vector<std::size_t>>;

const Instruction kPlain{.unit = Unit::integer};
const Instruction kExit{.unit = Unit::branch, .ends = true};

Instruction branch(std::int64_t target) {
  return {.unit = Unit::branch, .target = target};
}
Instruction jump(std::int64_t target) {
  return {.unit = Unit::branch, .target = target, .ends = true};
}

TEST(NaturalLoops, loops_are_found_inside_each_other) {
  EXPECT_EQ(natural_loops({kPlain, kPlain, kPlain, branch(2), branch(1), kExit}), (Loops{{1, 2, 3, 4}, {2, 3}}));
  EXPECT_EQ(natural_loops({kPlain, branch(1), kExit}), Loops{}) << "a branch to itself is padding";
  EXPECT_EQ(natural_loops({}), Loops{});
}

TEST(NaturalLoops, a_jump_back_from_code_behind_the_end_closes_no_loop) {
  // 1 branches to 4, which goes back to 2.
  EXPECT_EQ(natural_loops({kPlain, branch(4), kPlain, kExit, kPlain, jump(2)}), Loops{});
  // The same within a loop from 0 to 3: the code behind the end is a part of it.
  EXPECT_EQ(natural_loops({kPlain, branch(5), kPlain, branch(0), kExit, kPlain, jump(2)}), (Loops{{0, 1, 2, 3, 5, 6}}));
}

TEST(NaturalLoops, a_loop_behind_the_end_is_one) {
  EXPECT_EQ(natural_loops({kPlain, branch(4), kPlain, kExit, kPlain, kPlain, branch(4), jump(2)}), (Loops{{4, 5, 6}}));
}

TEST(NaturalLoops, two_jumps_back_to_one_place_close_one_loop) {
  EXPECT_EQ(natural_loops({kPlain, branch(0), kPlain, branch(0), kExit}), (Loops{{0, 1, 2, 3}}));
}

TEST(NaturalLoops, code_that_nothing_reaches_has_none) {
  EXPECT_EQ(natural_loops({kPlain, kExit, kPlain, branch(2), jump(0)}), Loops{});
}

}  // namespace
}  // namespace warpwright::tuner
