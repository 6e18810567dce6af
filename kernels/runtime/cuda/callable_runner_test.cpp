// Tests of callables on a GPU: which of their parts is timed. Skipped without a GPU.
#include "kernels/runtime/cuda/callable_runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/runtime/cuda/on_a_gpu.hpp"

namespace warpwright::gpu {
namespace {

using testing::ElementsAre;

class CallableRunnerOnAGpu : public OnAGpu {};

TEST_F(CallableRunnerOnAGpu, WhatAProblemTakesAsGivenIsMadeBeforeTheTimedPart) {
  std::vector<std::string> called;
  const std::vector<Callable> callables{
      {.pattern = "reduce",
       .implementation = "toylib",
       .idiom = "lists",
       .supports = [](const Problem&) { return true; },
       .prepare =
           [&](const CallableRequest&) {
             return make_prepared_after([&](Stream, const CallableBuffers&) { called.emplace_back("lists"); },
                                        [&](Stream, const CallableBuffers&) { called.emplace_back("forces"); });
           }}};
  CallableRunner runner(*gpu_, callables,
                        {.name = "toylib/lists", .knobs = {}, .problem = parse_problem("reduce[op=sum,float,16]")});
  runner.run_timed();
  EXPECT_THAT(called, ElementsAre("forces"));
  runner.run();
  EXPECT_THAT(called, ElementsAre("forces", "lists", "forces"));
}

}  // namespace
}  // namespace warpwright::gpu
