// Tests of the watch on a GPU, with invented readings: a warning is printed once and kept for the row, and missing
// readings give none.
#include "tuner/measuring/gpu_watch.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace warpwright::tuner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

gpu::Sensors busy(int others, const std::string& reasons = {}) {
  gpu::Sensors sensors;
  sensors.other_processes = others;
  sensors.throttle_reasons = reasons;
  return sensors;
}

struct Watched {
  gpu::Sensors reading{};
  bool broken = false;
  int reads = 0;
  std::vector<std::string> told{};
  GpuWatch watch{[this] {
                   ++reads;
                   if (broken) throw std::runtime_error("no answer");
                   return reading;
                 },
                 [this](const std::string& warning) { told.push_back(warning); }};
};

TEST(GpuWatch, MissingReadingsGiveNoWarning) {
  EXPECT_THAT(warnings_of(gpu::Sensors{}), IsEmpty());
  Watched watched;
  watched.broken = true;
  EXPECT_EQ(watched.watch.warnings_now(), "");
  EXPECT_THAT(watched.told, IsEmpty());
}

TEST(GpuWatch, AProcessThatStartsLaterIsReportedOnceAndKept) {
  Watched watched;
  watched.reading = busy(0);
  EXPECT_EQ(watched.watch.warnings_now(), "");
  watched.reading = busy(1);
  EXPECT_EQ(watched.watch.warnings_now(), "another process uses the GPU");
  watched.reading = busy(3, "power cap");
  EXPECT_EQ(watched.watch.warnings_now(), "another process uses the GPU; clocks held back by power cap");
  watched.reading = busy(0);
  EXPECT_EQ(watched.watch.warnings_now(), "");
  EXPECT_THAT(watched.told, ElementsAre("another process uses the GPU", "clocks held back by power cap"));
  EXPECT_EQ(watched.watch.seen(), "another process uses the GPU; clocks held back by power cap");
}

TEST(GpuWatch, ReadsAgainOnlyIfTheLastReadingIsOld) {
  Watched watched;
  watched.reading = busy(1);
  EXPECT_EQ(watched.watch.recent(1h), "another process uses the GPU");
  watched.reading = busy(0);
  EXPECT_EQ(watched.watch.recent(1h), "another process uses the GPU");
  EXPECT_EQ(watched.reads, 1);
  EXPECT_EQ(watched.watch.recent(0s), "");
  EXPECT_EQ(watched.reads, 2);
}

}  // namespace
}  // namespace warpwright::tuner
