// Tests of the tables for --csv and --json.
#include "db/program/data_tables.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "db/program/merge_command.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::HasSubstr;

std::string head_of(const Table& table) {
  const std::string csv = table.csv();
  return csv.substr(0, csv.find_first_of("\r\n"));
}

TEST(DataTables, RunsAreRowsWithTheirCommand) {
  ConformanceRun run{.command = "conform 'reduce/*', twice", .target = "host/sm_90", .glob = "reduce/*", .seed = 7};
  run.started_at = "2026-01-02 03:04:05";
  run.cases = 200;
  const Table table = run_table({run});
  EXPECT_EQ(head_of(table), "started,target,kernels,seed,cases,failures,refused,ended,command");
  EXPECT_THAT(table.csv(),
              HasSubstr("2026-01-02 03:04:05,host/sm_90,reduce/*,7,200,0,0,,\"conform 'reduce/*', twice\""));
  EXPECT_EQ(nlohmann::json::parse(table.json())[0]["ended"], nullptr);
  EXPECT_EQ(nlohmann::json::parse(table.json())[0]["cases"], 200);
}

TEST(DataTables, AnObjectIsARowPerValueWithItsPath) {
  const Json object = {{"id", 7}, {"plan", "a\nb"}, {"samples_us", {1.5, 2}}, {"right", true}, {"rank", nullptr}};
  EXPECT_EQ(field_table(object).csv(),
            "field,value\r\n/id,7\r\n/plan,\"a\nb\"\r\n/samples_us/0,1.5\r\n/samples_us/1,2\r\n/right,true\r\n"
            "/rank,\r\n");
}

TEST(DataTables, CrossBoardCostsAreOneRowPerPairOfBoards) {
  CrossBoard one{.problem = {.pattern = "transpose", .types = "float", .shape = "64x64"}, .provenance = "measured"};
  for (const char* model : {"A", "B"})
    one.boards.push_back({.board = {.model = model}, .costs = {Cost{.us = 10}, std::nullopt}});
  const auto rows = nlohmann::json::parse(cross_board_table({one}).json());
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0]["best_on"], "A");
  EXPECT_EQ(rows[0]["time_us"], 10);
  EXPECT_EQ(rows[0]["tied"], false);
  EXPECT_EQ(rows[1]["board"], "B");
  EXPECT_EQ(rows[1]["loss"], nullptr);
}

TEST(DataTables, TheModelHasARowForAllKernelsAndOnePerKernel) {
  ModelCheck all{.problem = {.pattern = "scan", .shape = "1024", .title = "2^10 float"},
                 .board = "A",
                 .times = {{}, {}},
                 .best_loss = 0.25};
  all.worst = {"block = 32: 0.5 x (3)", "block = 64: 2 x (4)"};
  ModelCheck part = all;
  part.kernel = "naive";
  part.spearman = 0.5;
  const auto rows = nlohmann::json::parse(model_table({all, part}).json());
  EXPECT_EQ(rows[0]["pattern"], "scan");
  EXPECT_EQ(rows[0]["problem"], "2^10 float");
  EXPECT_EQ(rows[0]["kernel"], nullptr);
  EXPECT_EQ(rows[0]["spearman"], nullptr);
  EXPECT_EQ(rows[0]["farthest"], "block = 32: 0.5 x (3); block = 64: 2 x (4)");
  EXPECT_EQ(rows[1]["kernel"], "naive");
  EXPECT_EQ(rows[1]["spearman"], 0.5);
  EXPECT_EQ(rows[1]["configurations"], 2);
  EXPECT_EQ(rows[1]["best_loss"], 0.25);
}

TEST(DataTables, ASoundFileHasNoRow) {
  EXPECT_EQ(nlohmann::json::parse(finding_table("a.db", {}).json()).size(), 0U);
  EXPECT_EQ(nlohmann::json::parse(finding_table("a.db", {"it is cut off"}).json())[0]["finding"], "it is cut off");
}

TEST(DataTables, EachMergedFileIsARow) {
  Table merged = merge_table();
  add_row(merged, "a.db", Merged{.trials = 3, .conformance_runs = 1});
  EXPECT_THAT(data_of(merged, Form::csv), HasSubstr("a.db,3,0,0,1,0"));
  EXPECT_EQ(nlohmann::json::parse(data_of(merged, Form::json))[0]["conformance_runs"], 1);
  Table imported = import_table();
  add_row(imported, "b.json", Imported{.pattern = "import:sgemm", .board = "A", .timed = 12, .known = 2});
  EXPECT_THAT(imported.csv(), HasSubstr("b.json,import:sgemm,A,12,0,2"));
}

TEST(DataTables, MergingPrintsInTheRequestedForm) {
  const TemporaryFolder folder;
  {
    Store other(folder / "other.db");
    Store store(folder / "all.db");
  }
  Store store(folder / "all.db");
  testing::internal::CaptureStdout();
  EXPECT_TRUE(merge_files(store, {(folder / "other.db").string()}, false, Form::json));
  const auto rows = nlohmann::json::parse(testing::internal::GetCapturedStdout());
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["trials"], 0);
  testing::internal::CaptureStdout();
  EXPECT_TRUE(merge_files(store, {(folder / "other.db").string()}, false));
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("other.db: 0 new trials"));
}

}  // namespace
}  // namespace warpwright::db
