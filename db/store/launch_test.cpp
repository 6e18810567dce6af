// Tests of rows per launch: properties of trials, and counts of accesses.
#include <gmock/gmock.h>

#include "db/query/query.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class LaunchTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
};

TEST_F(LaunchTest, EveryLaunchOfATrialHasItsOwnProperties) {
  Launch first{.number = 0, .entry = "partial<256>", .times = 1, .grid_blocks = 1056, .block_threads = 256};
  first.registers = 40;
  first.occupancy = 0.75;
  first.occupancy_limit = "registers";
  const Launch second{.number = 1, .entry = "finish<1024>", .times = 12, .grid_blocks = 1, .block_threads = 1024};
  const Id id = store_.add_trial(example_.measured(32, 12.5), std::vector{12.5}, {}, std::vector{second, first});
  std::vector<Launch> stored = store_.launches(id);
  ASSERT_THAT(stored, SizeIs(2));
  EXPECT_EQ(stored[0].entry, "partial<256>");
  EXPECT_EQ(stored[0].registers, 40);
  EXPECT_EQ(stored[0].occupancy_limit, "registers");
  EXPECT_EQ(stored[1].times, 12);
  EXPECT_EQ(stored[1].registers, std::nullopt);

  first.registers = 41;
  EXPECT_EQ(store_.add_trial(example_.measured(32, 12.5), std::vector{12.5}, {}, std::vector{first}), id)
      << "launches are no part of what makes a trial itself";
  stored = store_.launches(id);
  ASSERT_THAT(stored, SizeIs(2));
  EXPECT_EQ(stored[0].registers, 41);
  EXPECT_THAT(store_.launches(store_.add_trial(example_.measured(64, 1))), IsEmpty());

  first.occupancy = 1.5;
  EXPECT_THAT(error_of([&] { store_.add_trial(example_.measured(64, 2), {}, {}, std::vector{first}); }),
              HasSubstr("launch.occupancy is between 0 and 1"));
  EXPECT_FALSE(find(store_, "3")) << "the trial went with its launch";
}

TEST_F(LaunchTest, AccessCountsAreReplacedLaunchByLaunch) {
  Access access{.configuration_id = example_.configuration(32),
                .problem_id = example_.problem,
                .target = "host/sm_90",
                .shared_requests = 4};
  EXPECT_THAT(store_.accesses(access.configuration_id, access.problem_id, "sm_90"), IsEmpty());
  store_.put_access(access);
  access.shared_requests = 5;
  access.divergent_branches = 7;
  store_.put_access(access);
  access.launch = 1;
  access.shared_requests = 9;
  store_.put_access(access);
  access.launch = Access::all_launches;
  store_.put_access(access);
  access.launch = -2;
  EXPECT_THAT(error_of([&] { store_.put_access(access); }), HasSubstr("a launch, or -1 for all"));
  EXPECT_THAT(store_.accesses(), SizeIs(3));
  const std::vector<Access> stored = store_.accesses(access.configuration_id, access.problem_id, "sm_90");
  ASSERT_THAT(stored, SizeIs(3));
  EXPECT_EQ(stored[0].launch, Access::all_launches);
  EXPECT_EQ(stored[1].launch, 0);
  EXPECT_EQ(stored[1].shared_requests, 5);
  EXPECT_EQ(stored[1].divergent_branches, 7);
  EXPECT_EQ(stored[2].shared_requests, 9);
}

}  // namespace
}  // namespace warpwright::db
