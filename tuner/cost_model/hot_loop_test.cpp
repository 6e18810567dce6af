// Tests of finding the hot loop in handmade instruction sequences.
#include "tuner/cost_model/hot_loop.hpp"

#include <gtest/gtest.h>

namespace warpwright::tuner {
namespace {

using gpu::Instruction;
using gpu::Unit;

Instruction fma(int stall = 1) {
  return {.unit = Unit::fp32, .operations = 2, .stall = stall};
}
Instruction jump(std::int64_t target) {
  return {.unit = Unit::branch, .stall = 5, .target = target};
}

std::optional<HotLoop> hot_loop_of(const std::vector<Instruction>& code, ElementType arithmetic,
                                   const CountedWork& work = {}, const Latencies& latencies = {}) {
  return hot_loop(LoopedCode(code), arithmetic, work, latencies);
}

bool has_atomics(const std::vector<Instruction>& code) {
  return has_atomics_of_elements(LoopedCode(code));
}

TEST(HotLoop, is_the_inner_loop_with_most_arithmetic) {
  // 0: fma; 1..6: outer loop, of which 1 is a load, 2..4 the inner loop of two fmas, 5 an fma, 6 the jump.
  const std::vector<Instruction> code{fma(),   {.unit = Unit::global_load}, fma(), fma(), jump(2), fma(),
                                      jump(1), {.unit = Unit::nothing}};
  const auto loop = hot_loop_of(code, ElementType::f32);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->operations, 4);
  EXPECT_EQ(loop->instructions, 3);
  EXPECT_EQ(loop->fp32, 2);
  EXPECT_EQ(loop->global_loads, 0);
  EXPECT_EQ(loop->alone_clocks, 1 + 1 + 5);
}

TEST(HotLoop, does_not_count_loops_inside_an_outer_loop) {
  const std::vector<Instruction> code{fma(), fma(), {.unit = Unit::special}, jump(2), fma(), jump(0)};
  const auto loop = hot_loop_of(code, ElementType::f32);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->operations, 6);
  EXPECT_EQ(loop->special, 0);
}

TEST(HotLoop, is_the_whole_kernel_if_no_loop_has_arithmetic_and_nothing_if_there_is_none) {
  const std::vector<Instruction> code{fma(), {.unit = Unit::integer}, jump(1), fma(), {.unit = Unit::nothing}};
  const auto loop = hot_loop_of(code, ElementType::f32);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->operations, 4);
  EXPECT_EQ(loop->instructions, 4);
  EXPECT_FALSE(hot_loop_of(code, ElementType::f64));
  EXPECT_FALSE(hot_loop_of({}, ElementType::f32));
  EXPECT_FALSE(hot_loop_of(code, ElementType::i32));
}

TEST(HotLoop, waits_for_memory_as_long_as_on_its_architecture) {
  const auto clocks = [](Unit unit, int compute_capability) {
    const std::vector<Instruction> code{{.unit = unit, .stall = 1, .signals = 0},
                                        {.unit = Unit::fp32, .operations = 2, .stall = 1, .waits = 1},
                                        jump(0)};
    return hot_loop_of(code, ElementType::f32, {}, latencies_of(compute_capability))->alone_clocks;
  };
  EXPECT_EQ(clocks(Unit::shared_load, 75) + 10, clocks(Unit::shared_load, 80));
  EXPECT_EQ(clocks(Unit::global_load, 75) + 75, clocks(Unit::global_load, 90));
  EXPECT_GT(clocks(Unit::local, 89), clocks(Unit::local, 86));
}

TEST(HotLoop, atomics_are_of_elements_if_their_loop_loads_from_global_memory) {
  const Instruction load{.unit = Unit::global_load}, copy{.unit = Unit::async}, update{.unit = Unit::atomic};
  const Instruction gathered{.unit = Unit::shared_load};
  EXPECT_TRUE(has_atomics({fma(), load, update, jump(1)}));
  EXPECT_TRUE(has_atomics({load, fma(), update, jump(1), jump(0)})) << "the outer loop loads";
  EXPECT_TRUE(has_atomics({copy, update, jump(0)}));
  EXPECT_FALSE(has_atomics({load, fma(), jump(0), update})) << "once for each thread";
  EXPECT_FALSE(has_atomics({load, jump(0), gathered, update, jump(2)})) << "what a block has gathered";
  EXPECT_FALSE(has_atomics({}));
}

TEST(HotLoop, exchanges_between_lanes_are_of_elements_if_their_loop_loads_from_global_memory) {
  const Instruction load{.unit = Unit::global_load}, update{.unit = Unit::atomic};
  const Instruction shuffle{.unit = Unit::shuffle}, vote{.unit = Unit::integer, .opcode = 0x806};
  EXPECT_TRUE(has_exchanges_of_elements(LoopedCode({load, shuffle, jump(0)})));
  EXPECT_TRUE(has_exchanges_of_elements(LoopedCode({load, vote, jump(0)})));
  EXPECT_FALSE(has_exchanges_of_elements(LoopedCode({load, fma(), jump(0), shuffle, vote}))) << "once for each warp";
  EXPECT_FALSE(has_exchanges_of_elements(LoopedCode({load, update, jump(0)})));
}

TEST(HotLoop, is_the_code_outside_loops_if_that_is_all_a_thread_has_to_do) {
  // 0..7: eight fmas; 8..10: a loop for a few threads, with one fma.
  std::vector<Instruction> code(8, fma());
  code.insert(code.end(), {fma(), {.unit = Unit::integer}, jump(8), {.unit = Unit::nothing}});
  EXPECT_EQ(hot_loop_of(code, ElementType::f32)->operations, 2) << "nobody says what a thread has to do";
  for (const double of_thread : {16.0, 11.0, 23.0}) {
    const auto straight = hot_loop_of(code, ElementType::f32, {.of_thread = of_thread});
    EXPECT_EQ(straight->operations, 16) << of_thread;
    EXPECT_EQ(straight->integer, 0);
  }
  EXPECT_EQ(hot_loop_of(code, ElementType::f32, {.of_thread = 100})->operations, 2)
      << "the rest must come from the loop";
  EXPECT_EQ(hot_loop_of(code, ElementType::f32, {.of_thread = 4})->operations, 2);
}

TEST(HotLoop, a_branch_to_itself_is_no_loop) {
  const std::vector<Instruction> code{fma(), jump(1)};
  EXPECT_EQ(hot_loop_of(code, ElementType::f32)->instructions, 2);
}

TEST(HotLoop, a_lone_warp_waits_for_its_loads_unless_they_were_issued_one_iteration_earlier) {
  const Instruction load{.unit = Unit::shared_load, .stall = 1, .signals = 0};
  Instruction use = fma();
  use.waits = 1;
  const std::vector<Instruction> at_once{load, use, jump(0)};
  std::vector<Instruction> ahead{use, load};
  for (int i = 0; i < 40; ++i) ahead.push_back(fma());
  ahead.push_back(jump(0));
  EXPECT_EQ(hot_loop_of(at_once, ElementType::f32)->alone_clocks, 29 + 1 + 5);
  EXPECT_EQ(hot_loop_of(ahead, ElementType::f32)->alone_clocks, 1 + 1 + 40 + 5);
}

TEST(HotLoop, stalls_set_by_the_compiler_count) {
  const std::vector<Instruction> chain{fma(4), fma(4), jump(0)};
  EXPECT_EQ(hot_loop_of(chain, ElementType::f32)->alone_clocks, 4 + 4 + 5);
}

TEST(HotLoop, counts_what_its_shared_accesses_and_constants_move) {
  const Instruction wide{.unit = Unit::shared_load, .bytes = 16}, narrow{.unit = Unit::shared_load, .bytes = 1};
  const Instruction weight{.unit = Unit::fp32, .operations = 2, .constant = 4};
  const auto loop = hot_loop_of({wide, narrow, weight, weight, jump(0)}, ElementType::f32);
  EXPECT_EQ(loop->shared, 2);
  EXPECT_EQ(loop->shared_passes, 4 + 1);
  EXPECT_EQ(loop->constant_bytes, 8);
}

}  // namespace
}  // namespace warpwright::tuner
