// Tests of the ticker.
#include "kernels/system/ticker.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace warpwright {
namespace {

TEST(Ticker, CallsAgainAndAgainUntilItEnds) {
  std::atomic<int> calls = 0;
  {
    const Ticker ticker(std::chrono::milliseconds(1), [&] {
      ++calls;
      calls.notify_all();
    });
    for (int seen = 0; seen < 3; seen = calls) calls.wait(seen);
  }
  const int at_the_end = calls;
  EXPECT_GE(at_the_end, 3);
}

TEST(Ticker, EndsAtOnceInALongPause) {
  bool was_called = false;
  {
    const Ticker ticker(std::chrono::hours(1), [&] { was_called = true; });
  }
  EXPECT_FALSE(was_called);
}

}  // namespace
}  // namespace warpwright
