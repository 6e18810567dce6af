// Tests of the schema: which files are refused, that refused files stay unchanged, and which words rows may have.
#include "db/store/schema.hpp"

#include <gmock/gmock.h>

#include "db/maintenance/check.hpp"
#include "db/store/fixture.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

class SchemaTest : public testing::Test {
 protected:
  TemporaryFolder folder_{memory_folder()};
  fs::path path_ = folder_ / "a.db";

  SchemaTest() {
    Store store(path_);
    ExampleTrials example{store};
    store.add_trial(example.measured(32, 10));
    store.put_mutant({.outcome = "killed"});
    store.begin_conformance_run({.uid = "run"});
  }

  void run_sql(const std::string& sql) { SQLite::Database(path_.string(), SQLite::OPEN_READWRITE).exec(sql); }

  // The refusal message. Checks that it is the same for reading and writing, and that the file stays unchanged.
  std::string refusal() {
    const std::string before = bytes_of(path_);
    const std::string text = error_of([&] { Store store(path_); });
    EXPECT_EQ(error_of([&] { Store store(path_, Mode::read_only); }), text);
    EXPECT_EQ(bytes_of(path_), before);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "nothing is left beside it";
    return text;
  }
};

TEST_F(SchemaTest, ANewFileHasVersionAndProgramAndIsSound) {
  const Store store(path_, Mode::read_only);
  EXPECT_TRUE(has_schema(store.connection()));
  EXPECT_THAT(check(store), IsEmpty());
  SQLite::Database file(path_.string());
  EXPECT_EQ(file.execAndGet("SELECT version || ' ' || program FROM schema").getString(),
            std::to_string(schema_version) + " " + std::string(program_version()));
  EXPECT_EQ(file.execAndGet("PRAGMA application_id").getInt(), application_id);
}

TEST_F(SchemaTest, AFileFromBeforeVersion1IsAlwaysRefused) {
  for (const int version : {schema_version, 11, 12}) {
    run_sql("PRAGMA application_id = " + std::to_string(old_application_id) +
            "; DELETE FROM schema; INSERT INTO schema VALUES (" + std::to_string(version) + ", '0.0.9', '2026')");
    EXPECT_THAT(refusal(), AllOf(HasSubstr("a.db: this file was written by warpwright 0.0.9 before its first release "
                                           "(schema version " +
                                           std::to_string(version) + ")"),
                                 HasSubstr("Nothing in it was changed"), HasSubstr("start a new file with --db")));
  }
}

TEST_F(SchemaTest, AFileOfAnotherVersionIsRefusedWithTheNameOfItsProgram) {
  run_sql("UPDATE schema SET version = 99, program = '9.9'");
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("was written by warpwright 9.9 (schema version 99), and this program is warpwright " +
                              std::string(program_version())),
                    HasSubstr("Keep it for that program, and start a new file with --db")));
}

// A file of version 1 lacks the columns amount and unit of problem, and the table step.
TEST_F(SchemaTest, AFileOfVersion1IsRefusedBeforeAColumnIsMissed) {
  run_sql(
      "ALTER TABLE problem DROP COLUMN amount; ALTER TABLE problem DROP COLUMN unit; DROP TABLE step;"
      " UPDATE schema SET version = 1, program = '0.1.0'");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("was written by warpwright 0.1.0 (schema version 1)"),
                               HasSubstr("(schema version 2)"), HasSubstr("Nothing in it was changed")));
}

TEST_F(SchemaTest, ColumnsThatAnOlderProgramDidNotWriteAreReadAsNullAndAddedOnWriting) {
  run_sql(
      "ALTER TABLE trial DROP COLUMN relative_error; ALTER TABLE trial DROP COLUMN error_ulp;"
      " ALTER TABLE trial DROP COLUMN deterministic; ALTER TABLE trial DROP COLUMN joules;"
      " ALTER TABLE trial DROP COLUMN replay_us; ALTER TABLE trial DROP COLUMN limited_by");
  const std::string before = bytes_of(path_);
  {
    const Store store(path_, Mode::read_only);
    EXPECT_EQ(store.trial(1).error_ulp, std::nullopt);
    EXPECT_EQ(store.trial(1).joules, std::nullopt);
    EXPECT_EQ(store.trial(1).median_us, 10);
    EXPECT_THAT(check(store), IsEmpty());
  }
  EXPECT_EQ(bytes_of(path_), before);
  Store united(folder_ / "all.db");
  EXPECT_EQ(merge(united, path_).trials, 1);
  Store store(path_);
  Trial trial = store.trial(1);
  trial.config_key = "another";
  trial.error_ulp = 2;
  trial.joules = 0.5;
  const Trial stored = store.trial(store.add_trial(trial));
  EXPECT_EQ(stored.error_ulp, 2);
  EXPECT_EQ(stored.joules, 0.5);
  EXPECT_EQ(store.trial(1).error_ulp, std::nullopt);
  EXPECT_THAT(check(store), IsEmpty());
}

TEST_F(SchemaTest, AFileThatDoesNotSayItsVersionIsDamaged) {
  run_sql("DELETE FROM schema");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("is damaged"), HasSubstr("backup")));
  run_sql("DROP TABLE schema");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("is damaged"), HasSubstr("backup")));
}

TEST_F(SchemaTest, AnEmptyFileHasNothingToRead) {
  fs::resize_file(path_, 0);
  EXPECT_THAT(error_of([&] { Store store(path_, Mode::read_only); }),
              AllOf(HasSubstr("this file is empty"), HasSubstr("`tune --db")));
  EXPECT_EQ(fs::file_size(path_), 0U);
}

// Sets a column of the only row of a table; returns the error message, or an empty text.
std::string set(const Store& store, const std::string& table, const std::string& column, std::string_view value) {
  try {
    Statement row(store.connection(), "UPDATE " + table + " SET " + column + " = ?");
    row.bind(value);
    row.step();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(SchemaTest, RowsAcceptOnlyTheCurrentWords) {
  const Store store(path_);
  for (const std::string_view verdict : all_verdict_words()) EXPECT_EQ(set(store, "trial", "verdict", verdict), "");
  EXPECT_THAT(set(store, "trial", "verdict", "not judged"), HasSubstr("trial.verdict is one of the verdict words"));
  for (const char* outcome : {"killed", "survived", "equivalent", "not compiled", "not modelled"})
    EXPECT_EQ(set(store, "mutant", "outcome", outcome), "");
  EXPECT_THAT(set(store, "mutant", "outcome", "not judged"), HasSubstr("not compiled or not modelled"));
  for (const char* how : {"complete", "out of time", "interrupted", "failed"})
    EXPECT_EQ(set(store, "conformance_run", "ended_how", how), "");
  EXPECT_THAT(set(store, "conformance_run", "ended_how", "passed"), HasSubstr("ended_how is complete, out of time"));
  EXPECT_THAT(set(store, "conformance_run", "progress", "far"), HasSubstr("conformance_run.progress is JSON"));
}

TEST_F(SchemaTest, OnlyAPredictedTrialHasSimulatedCases) {
  const Store store(path_);
  EXPECT_THAT(set(store, "trial", "simulated_cases", "1"), HasSubstr("trial.simulated_cases is 0 or more, of a"));
  EXPECT_EQ(set(store, "trial", "provenance", "predicted"), "");
  EXPECT_EQ(set(store, "trial", "simulated_cases", "1"), "");
}

}  // namespace
}  // namespace warpwright::db
