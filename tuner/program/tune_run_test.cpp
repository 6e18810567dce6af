// Tests of what a run of `tune` concludes from the database.
#include "tuner/program/tune_run.hpp"

#include <gtest/gtest.h>

#include "db/query/query.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::tuner {
namespace {

TEST(SettingForAllSizes, IsDeterministicIfThatWasAskedFor) {
  const TemporaryFolder folder;
  const Catalogue empty({}, {}, {});
  Options options;
  options.db = folder / "a.db";
  options.cache = folder / "cache";
  options.request.robust = "worst";
  for (const bool deterministic : {false, true}) {
    options.deterministic = deterministic;
    tuner::Run run(options, empty, {}, Budget(0), true);
    if (!deterministic) {
      db::ExampleTrials example(run.store);
      const auto add = [&](int tile_dim, double us, const std::string& shape, bool shown) {
        db::Trial trial = example.measured(tile_dim, us);
        trial.problem_id = example.problem_of(shape);
        trial.deterministic = shown;
        run.store.add_trial(trial);
      };
      for (const auto& [shape, times] : {std::pair("64x64", 1), std::pair("128x128", 2)}) {
        add(1, 10 * times * times, shape, true);
        add(2, 12 * times, shape, true);
        add(3, 11 * times, shape, false);
      }
    }
    run.best = db::best(run.store, {.arch = "sm_90", .robust = std::nullopt});
    ASSERT_EQ(run.best.size(), 2U);
    run.find_settings_for_all_sizes();
    for (const db::Best& best : run.best) {
      ASSERT_TRUE(best.all_sizes);
      EXPECT_EQ(best.all_sizes->setting.params, deterministic ? "{.tile_dim = 2}" : "{.tile_dim = 3}");
    }
  }
}

}  // namespace
}  // namespace warpwright::tuner
