// Tests that hangs are told from long runs, by counts, and soon.
#include "conformance/checks/long_runs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace warpwright::conformance {
namespace {

using testing::HasSubstr;

constexpr double kLimit = 1e8;  ///< of a run without a stated effort

class LongRuns : public testing::Test {
 protected:
  /// Runs a kernel that needs so many accesses at an extent.
  std::string words(std::int64_t extent, double (*accesses)(std::int64_t)) {
    kernel_.default_point = {0};
    Case test;
    test.kernel = &kernel_;
    test.params = kernel_.default_point;
    test.problem = {.pattern = "a", .shape = {extent}};
    const auto check = [&](const Case& one, std::optional<double> effort) {
      const double needs = accesses(one.problem.shape.front());
      const double most = std::min(effort.value_or(kLimit), kLimit);
      CaseResult result{.steps = static_cast<std::uint64_t>(std::min(needs, most))};
      if (needs > most) result.finding = FindingKind::too_much_work;
      all_ += std::min(needs, most);
      return result;
    };
    return hang_words(test, check(test, std::nullopt), check);
  }

  Kernel kernel_{.pattern = "a",
                 .name = "k",
                 .source = {},
                 .space = {{}, {}},
                 .default_point = {},
                 .plan = {},
                 .depth = {},
                 .tile = {}};
  double all_ = 0;  ///< accesses of all runs
};

TEST_F(LongRuns, ALoopThatNeverEndsAtSomeSizesIsAHang) {
  EXPECT_THAT(words(640, [](std::int64_t n) { return n % 11 == 2 ? 1e18 : 10. * static_cast<double>(n); }),
              HasSubstr("a loop that does not end, since shape 630 needs 6300 memory accesses"));
}

TEST_F(LongRuns, WorkThatOnlyGrowsIsNone) {
  EXPECT_EQ(words(6400, [](std::int64_t n) { return std::pow(static_cast<double>(n), 3); }), "");
  EXPECT_EQ(words(6400, [](std::int64_t n) { return 1e5 * static_cast<double>(n); }), "");
}

TEST_F(LongRuns, ALoopThatNeverEndsBeyondASizeIsFoundWithLittleMoreThanOneRun) {
  EXPECT_THAT(words(640, [](std::int64_t n) { return n > 400 ? 1e18 : 10. * static_cast<double>(n); }),
              HasSubstr("a loop that does not end, since shape 400 needs 4000 memory accesses"));
  EXPECT_LT(all_, 1.1 * kLimit);
}

}  // namespace
}  // namespace warpwright::conformance
