// Tests of bringing a stored file of schema version 4 up to date.
#include <gmock/gmock.h>

#include "db/store/fixture.hpp"
#include "db/maintenance/check.hpp"
#include "db/query/query.hpp"
#include "db/store/schema.hpp"

namespace warpwright::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FileOfVersion4 : public testing::Test {
 protected:
  TemporaryFolder folder_{memory_folder()};
  std::filesystem::path path_ = folder_ / "old.db";

  FileOfVersion4() {
    SQLite::Database(path_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(bytes_of(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "db/testdata/schema_4.sql"));
  }
};

TEST_F(FileOfVersion4, IsBroughtUpToDateAndIsSound) {
  EXPECT_THAT(error_of([&] { Store(path_, Mode::read_only); }), HasSubstr("has schema version 4"));
  const Store store(path_);
  EXPECT_THAT(check(store), IsEmpty());
  EXPECT_EQ(inspect_schema(store.connection()), schema_version());
  EXPECT_EQ(trials(store, {}).size(), 12U);
}

TEST_F(FileOfVersion4, SaysOfEachPredictionHowManyCasesJudgedItWhereItKnows) {
  const Store store(path_);
  std::map<std::string, int> counts;
  for (const TrialView& view : trials(store, {.provenance = "predicted"}))
    ++counts[view.trial.verdict + ": " + view.certainty()];
  using Counts = std::map<std::string, int>;
  EXPECT_EQ(counts, (Counts{{"failed: several cases", 1},
                            {"not compiled: unchecked", 1},
                            {"passed: 1 case", 1},
                            {"passed: several cases", 5}}));
  for (const TrialView& view : trials(store, {.provenance = "measured"})) {
    EXPECT_FALSE(view.trial.judged_cases);
    EXPECT_FALSE(view.trial.whole_property);
  }
}

TEST_F(FileOfVersion4, KnowsNothingOfTheBus) {
  const Store store(path_);
  for (const Session& session : store.sessions()) {
    EXPECT_FALSE(session.bus_to_device_gbs);
    EXPECT_FALSE(session.bus_to_host_gbs);
    EXPECT_FALSE(session.float_gflops);
  }
  for (const Problem& problem : store.problems()) EXPECT_EQ(problem.bus_to_device + problem.bus_to_host, 0);
}

TEST_F(FileOfVersion4, RefusesANumberOfCasesOfAMeasuredTrial) {
  const Store store(path_);
  EXPECT_THAT(
      error_of([&] { store.connection().execute("UPDATE trial SET judged_cases = 1 WHERE provenance = 'measured'"); }),
      HasSubstr("trial.judged_cases"));
}

}  // namespace
}  // namespace warpwright::db
