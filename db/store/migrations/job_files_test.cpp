// Tests of bringing a stored file up to date whose counterexamples name no file of a job.
#include <gmock/gmock.h>

#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"
#include "db/maintenance/check.hpp"
#include "kernels/core/text.hpp"

namespace warpwright::db {
namespace {

TEST(FileWithoutJobFiles, KeepsItsCounterexamplesAndTakesFiles) {
  const TemporaryFolder folder{memory_folder()};
  const std::filesystem::path path = folder / "old.db";
  SQLite::Database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec(bytes_of(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "db/testdata/schema_4.sql"));
  Store store(path);
  EXPECT_THAT(check(store), testing::IsEmpty());
  const auto old = store.counterexamples("*", true);
  EXPECT_THAT(old, testing::SizeIs(4));
  for (const Counterexample& one : old)
    EXPECT_EQ(repro_command(one.file, one.repro), "conform --repro '" + one.repro + "'");
  store.saw_counterexample({.pattern = "job:a", .kernel = "k", .repro = "kernel=job:a/k", .file = "a.json"});
  EXPECT_EQ(store.counterexamples("job:a/*").at(0).file, "a.json");
  EXPECT_THAT(check(store), testing::IsEmpty());
}

}  // namespace
}  // namespace warpwright::db
