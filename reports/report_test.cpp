// Tests of the program report, run as users run it.
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

#include "db/maintenance/check.hpp"
#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"
#include "reports/fixture.hpp"

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

struct Result {
  int code = -1;
  std::string out;
  std::string err;
};

class ReportTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string db_ = (folder_ / "a.db").string();
  std::string out_ = (folder_ / "pages").string();

  void make(double slowdown) {
    db::Store store(db_);
    fill(store, slowdown);
  }
  Result run(const std::string& arguments) {
    const std::string command = WARPWRIGHT_BINARY_DIR "/bin/report " + arguments + " > " + (folder_ / "out").string() +
                                " 2> " + (folder_ / "err").string();
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), db::bytes_of(folder_ / "out"), db::bytes_of(folder_ / "err")};
  }
  Result run_on_db(const std::string& arguments = "") {
    return run("--db " + db_ + " --out " + out_ + " " + arguments);
  }
};

TEST_F(ReportTest, WritesAPagePerArchitectureAndSaysWhere) {
  make(1.08);
  const Result result = run_on_db();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(out_ + "/index.html\n5 more pages beside it\n"));
  for (const char* name : {"/index.html", "/sm_75.html", "/sm_90.html"}) {
    EXPECT_THAT(db::bytes_of(out_ + name), StartsWith("<!DOCTYPE html>"));
  }
  EXPECT_THAT(result.out, HasSubstr("change: reduce 2^26 float, op=sum, data=uniform on NVIDIA H200: +8.0 %"));
  EXPECT_THAT(result.out, HasSubstr("new failure: reduce/sequential: a new counterexample; see: conform --repro"));
}

TEST_F(ReportTest, APartOfARealDatabaseIsSoundAndMakesAPage) {
  for (const char* part : {"/db/store/schema.sql", "/reports/testdata/h200.sql"})
    SQLite::Database(db_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(db::bytes_of(std::string(WARPWRIGHT_SOURCE_DIR) + part));
  EXPECT_THAT(db::check(db::Store(db_, db::Mode::read_only)), IsEmpty());
  const Result result = run_on_db();
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string page = db::bytes_of(out_ + "/sm_90.html");
  for (const char* text : {"NVIDIA H200", "compact", "nbody", "sort", "certified"}) EXPECT_THAT(page, HasSubstr(text));
}

TEST_F(ReportTest, WarnsOfAlteredRowsAndEscapesControlCharacters) {
  make(1.08);
  EXPECT_THAT(run_on_db().err, IsEmpty());
  SQLite::Database(db_, SQLite::OPEN_READWRITE).exec("UPDATE board SET model = 'H200' || char(27) || '[31m'");
  const Result result = run_on_db();
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("report: warning: board 1: its content is not what was stored"));
  EXPECT_THAT(result.out, AllOf(HasSubstr("H200\\x1b[31m"), Not(HasSubstr("\x1b"))));
  SQLite::Database(db_, SQLite::OPEN_READWRITE).exec("UPDATE trial SET detail = detail || '!'");
  const std::string many = run_on_db().err;
  EXPECT_EQ(std::ranges::count(many, '\n'), 11);
  EXPECT_THAT(many, HasSubstr(" more like these; `tunedb check` lists all\n"));
}

TEST_F(ReportTest, HasAVersionAndReportsLostOutput) {
  EXPECT_THAT(run("--version").out, StartsWith("report "));
  make(1);
  const std::string command = WARPWRIGHT_BINARY_DIR "/bin/report --db " + db_ + " --out " + out_ + " > /dev/full 2> " +
                              (folder_ / "err").string();
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
  EXPECT_THAT(db::bytes_of(folder_ / "err"), HasSubstr("standard output"));
}

TEST_F(ReportTest, OneArchitectureIsOnePage) {
  make(1);
  EXPECT_EQ(run_on_db("--arch sm_75").code, 0);
  EXPECT_TRUE(std::filesystem::exists(out_ + "/sm_75.html"));
  EXPECT_FALSE(std::filesystem::exists(out_ + "/sm_90.html"));
  const Result none = run_on_db("--arch sm_86");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("nothing is stored for sm_86"), HasSubstr("sm_90 (NVIDIA H200)")));
}

TEST_F(ReportTest, DriftAboveTheLimitIsExitCode1) {
  make(1.08);
  const Result over = run_on_db("--fail-on-drift 5%");
  EXPECT_EQ(over.code, 1);
  EXPECT_THAT(over.out, HasSubstr("drift: reduce 2^26 float, op=sum, data=uniform on NVIDIA H200: +8.0 %"));
  EXPECT_THAT(over.out, HasSubstr("above the limit of 5 %"));
  EXPECT_EQ(run_on_db("--fail-on-drift 10").code, 0);
}

TEST_F(ReportTest, ChangesAreInTheWordsOfThePages) {
  make(0.9);
  EXPECT_THAT(run_on_db().out,
              HasSubstr("change: reduce 2^26 float, op=sum, data=uniform on NVIDIA H200: \u221210.0 %"));
}

TEST_F(ReportTest, ANewFailureIsExitCode1IfRequested) {
  make(1);
  EXPECT_EQ(run_on_db().code, 0);
  EXPECT_EQ(run_on_db("--fail-on-new-failure").code, 1);
  {
    db::Store store(db_);
    for (const db::Counterexample& one : store.counterexamples()) store.fixed_counterexample(one.repro);
  }
  EXPECT_EQ(run_on_db("--fail-on-new-failure").code, 0);
}

TEST_F(ReportTest, AnEmptyDatabaseGivesAnIndex) {
  { db::Store store(db_); }
  const Result result = run_on_db("--fail-on-drift 0% --fail-on-new-failure");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(db::bytes_of(out_ + "/index.html"), HasSubstr("holds no trials yet"));
}

TEST_F(ReportTest, BadUsageIsExitCode2) {
  make(1);
  EXPECT_EQ(run("--nonsense").code, 2);
  const Result result = run_on_db("--fail-on-drift lots");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("'lots' is no percentage. Write 5%"));
}

TEST_F(ReportTest, HelpHasExamples) {
  const Result result = run("--help");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("Examples:"), HasSubstr("--fail-on-drift 5%")));
}

TEST_F(ReportTest, AFolderThatCannotBeWrittenIsExitCode3) {
  make(1);
  const Result result = run("--db " + db_ + " --out " + db_ + "/below");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr(db_ + "/below: cannot be written"), HasSubstr("--out")));
}

TEST_F(ReportTest, DatabasesThatCannotBeReadAreExitCode3) {
  const Result missing = run("--db " + (folder_ / "none.db").string() + " --out " + out_);
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, HasSubstr("none.db"));
  make(1);
  std::string bytes = db::bytes_of(db_);
  std::ofstream(db_, std::ios::binary) << bytes.substr(0, 5000) << std::string(bytes.size() - 5000, 'x');
  const Result damaged = run_on_db();
  EXPECT_EQ(damaged.code, 3);
  EXPECT_THAT(damaged.err, AllOf(StartsWith("report: "), HasSubstr(db_)));
  EXPECT_FALSE(std::filesystem::exists(out_));
}

}  // namespace
}  // namespace warpwright::reports
