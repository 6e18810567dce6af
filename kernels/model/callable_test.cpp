// Tests of prepared callables: the untimed and the timed part.
#include "kernels/model/callable.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpwright {
namespace {

using testing::ElementsAre;

TEST(PreparedCallable, TheUntimedPartIsRunByItself) {
  std::vector<std::string> called;
  const auto note = [&](const char* part) {
    return [&called, part](Stream, const CallableBuffers& buffers) {
      called.push_back(part + std::to_string(buffers.size()));
    };
  };
  const auto prepared = make_prepared_after(note("lists"), note("forces"), 8);
  EXPECT_EQ(prepared->scratch_bytes(), 8);
  prepared->run(nullptr, {{"a", nullptr}});
  EXPECT_THAT(called, ElementsAre("forces1"));
  prepared->prepare(nullptr, {});
  EXPECT_THAT(called, ElementsAre("forces1", "lists0"));
}

TEST(PreparedCallable, AllWorkIsTimedUnlessTheLibrarySaysOtherwise) {
  int runs = 0;
  const auto prepared = make_prepared([&](Stream, const CallableBuffers&) { ++runs; });
  prepared->prepare(nullptr, {});
  EXPECT_EQ(runs, 0);
  prepared->run(nullptr, {});
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace warpwright
