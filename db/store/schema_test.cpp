// Tests of bringing a stored file of schema version 2 up to date.
#include "db/store/schema.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "db/store/fixture.hpp"
#include "db/maintenance/check.hpp"
#include "db/exchange/print.hpp"
#include "db/query/query.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::SizeIs;

namespace fs = std::filesystem;

class OldFile : public testing::Test {
 protected:
  TemporaryFolder folder_{memory_folder()};
  fs::path path_ = folder_ / "old.db";

  OldFile() {
    SQLite::Database(path_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(bytes_of(fs::path(WARPWRIGHT_SOURCE_DIR) / "db/testdata/schema_2.sql"));
  }

  std::int64_t count(const std::string& what) {
    return SQLite::Database(path_.string()).execAndGet("SELECT count(*) FROM " + what).getInt64();
  }
};

// The identities of trials by config_key, of everything else by a name.
std::map<std::string, std::string> identities(const Store& store) {
  std::map<std::string, std::string> found;
  for (const TrialView& view : trials(store, {.arch = "sm_90", .shape = Shape{1 << 28}}))
    found[view.trial.config_key] = view.trial.identity;
  for (const Baseline& baseline : store.baselines()) found[baseline.implementation] = baseline.identity;
  for (const char* table : {"problem WHERE shape = '268435456'", "comparison", "certificate WHERE seed = 7",
                            "access WHERE shared_requests = 0 AND barriers = 10", "mutant", "conformance_run"}) {
    Statement row(store.connection(), std::string("SELECT identity FROM ") + table);
    found[table] = row.step() ? row.get<std::string>(0) : "none";
  }
  return found;
}

// What the program that made the old file stored of 2^28 floats, stored by this one.
void write_anew(Store& store) {
  const Id board = store.upsert(Board{.model = "NVIDIA H200",
                                      .arch = "sm_90",
                                      .sm_count = 132,
                                      .sm_clock_mhz = 1980,
                                      .memory_bandwidth_gbs = 4800,
                                      .l2_bytes = 50 << 20,
                                      .source = "device"});
  const Id environment = store.upsert(Environment{.gpu_uuid = "GPU-1",
                                                  .driver = "580",
                                                  .cuda = "13.0",
                                                  .nvrtc = "13.0",
                                                  .host_compiler = "g++ 12",
                                                  .ecc = true,
                                                  .os = "Linux"});
  const Id session = store.begin_session(Session{.uid = "old-session"});
  const Id kernel = store.upsert(Kernel{.pattern = "reduce", .kernel = "sequential"});
  const Id problem =
      store.upsert(Problem{.pattern = "reduce", .variant = "op=sum", .types = "float", .shape = "268435456"});
  const auto trial = [&](const char* params, double us, const char* day) {
    return Trial{.configuration_id = store.upsert(Configuration{.kernel_id = kernel, .params = params}),
                 .problem_id = problem,
                 .board_id = board,
                 .environment_id = environment,
                 .session_id = session,
                 .created_at = std::string("2026-11-0") + day + "T10:00:01.000Z",
                 .target = "sm_90",
                 .provenance = "measured",
                 .verdict = "passed",
                 .config_key = std::string("old key ") + day,
                 .registers = 32,
                 .spill_bytes = 0,
                 .static_shared = 1024,
                 .dynamic_shared = 0,
                 .block_threads = 256,
                 .grid_blocks = 4096,
                 .occupancy = 0.75,
                 .occupancy_limit = "registers",
                 .error_ratio = 0.25,
                 .mode = "clean cold L2",
                 .median_us = us,
                 .low_us = us - 0.5,
                 .high_us = us + 0.5};
  };
  const Trial best = trial("{.block_size = 256}", 250, "1");
  const Id first = store.add_trial(best, std::vector{249.5, 250.0, 250.5}, std::vector{1980.0, 1980.0, 1975.0});
  Trial other = trial("{.block_size = 128}", 300, "2");
  other.is_default = true;
  store.add_trial(other, std::vector{300.0, 301.0});
  store.add_certificate({.trial_id = first, .cases = 200, .seed = 7, .created_at = "2026-11-01T11:00:00.000Z"});
  store.put_access({.configuration_id = best.configuration_id,
                    .problem_id = problem,
                    .launch = Access::all_launches,
                    .target = "host/sm_75",
                    .barriers = 10});
  const Id cub = store.add_baseline({.implementation = "cub",
                                     .idiom = "device_reduce",
                                     .version = "3.0",
                                     .problem_id = problem,
                                     .board_id = board,
                                     .environment_id = environment,
                                     .session_id = session,
                                     .created_at = "2026-11-01T10:30:00.000Z",
                                     .verdict = "passed",
                                     .mode = "clean cold L2",
                                     .median_us = 255,
                                     .samples_us = {255, 255.5}});
  store.add_comparison({.trial_id = first,
                        .baseline_id = cub,
                        .session_id = session,
                        .created_at = "2026-11-01T10:31:00.000Z",
                        .rounds = 30,
                        .ratio = 1.02,
                        .low = 1.01,
                        .high = 1.03});
  store.begin_conformance_run({.uid = "old-run"});
  store.put_mutant({.kernel = "reduce/sequential",
                    .rule = "drop barrier",
                    .file = "sequential.cuh",
                    .line = 30,
                    .change = "__syncthreads(); -> (nothing)",
                    .tool = "host/sm_75",
                    .outcome = "killed"});
}

TEST_F(OldFile, IsBroughtUpToDateOnOpeningAndIsSound) {
  {
    const Store store(path_);
    EXPECT_THAT(check(store), IsEmpty());
    EXPECT_EQ(inspect_schema(store.connection()), schema_version());
  }
  const Store again(path_, Mode::read_only);
  EXPECT_THAT(check(again), IsEmpty());
}

TEST_F(OldFile, AnswersWhatItAnsweredBefore) {
  const Store store(path_);
  const auto answers = best(store, {.arch = "sm_90", .pattern = "reduce", .shape = Shape{1 << 28}});
  ASSERT_THAT(answers, SizeIs(1));
  const Best& answer = answers[0];
  EXPECT_EQ(answer.winner.params, "{.block_size = 256}");
  EXPECT_EQ(answer.match, "measured on sm_90 (NVIDIA H200), at the size asked for");
  EXPECT_EQ(answer.speedup, 1.2);
  EXPECT_EQ(answer.winner.certainty(), "certified (200 cases, seed 7)");
  EXPECT_EQ(answer.winner.problem.data, "uniform");
  EXPECT_EQ(answer.winner.problem.numbers, "");
  EXPECT_EQ(answer.winner.problem.operations, 268435456) << "these were the flops";
  ASSERT_THAT(answer.opponents, SizeIs(1));
  EXPECT_EQ(answer.opponents[0].comparison.ratio, 1.02);
  EXPECT_THAT(store.samples(answer.winner.trial.id).clocks_mhz, ElementsAre(1980, 1980, 1975));
  EXPECT_THAT(
      sheet_of(store, answer.winner),
      AllOf(HasSubstr("reduce[op=sum,data=uniform,float,268435456]"), HasSubstr("launch sequential<256>"),
            HasSubstr("resources of the launch with most threads"), HasSubstr("access of all launches"),
            HasSubstr("10 of blocks"), HasSubstr("kernels/reduce/sequential.cuh:31"), HasSubstr("cub/device_reduce")));
  const auto predicted = best(store, {.arch = "sm_75", .pattern = "transpose"});
  ASSERT_THAT(predicted, SizeIs(1));
  EXPECT_EQ(predicted[0].winner.kernel, "copy");
  EXPECT_EQ(predicted[0].winner.certainty(), "several cases") << "it does not say how many";
}

TEST_F(OldFile, GivesRowsTheIdentitiesOfRowsWrittenAnew) {
  const Store migrated(path_);
  Store fresh(folder_ / "new.db");
  write_anew(fresh);
  EXPECT_EQ(identities(migrated), identities(fresh));
  EXPECT_THAT(identities(migrated), AllOf(SizeIs(9), Contains(Key("old key 1")), Contains(Key("old key 2"))));
  for (const auto& [what, identity] : identities(migrated)) EXPECT_EQ(identity.size(), 32U) << what;
  const std::int64_t before = trials(fresh, {}).size();
  EXPECT_EQ(merge(fresh, path_).trials, static_cast<std::int64_t>(trials(migrated, {}).size()) - before)
      << "what both have is one row";
  EXPECT_THAT(fresh.baselines(), SizeIs(1));
  EXPECT_THAT(fresh.comparisons(), SizeIs(1));
}

TEST_F(OldFile, UnitesRowsThatOnlyTheirClassOfSizeToldApart) {
  EXPECT_EQ(count("problem WHERE shape = '1048576'"), 2);
  EXPECT_EQ(count("trial WHERE config_key = 'old key 3'"), 2);
  EXPECT_EQ(count("certificate WHERE seed = 8"), 2);
  EXPECT_EQ(count("access WHERE barriers IN (3, 4)"), 2);
  const std::int64_t trials_before = count("trial");
  const Store store(path_);
  EXPECT_EQ(count("problem WHERE shape = '1048576'"), 1);
  EXPECT_EQ(count("problem WHERE shape = '1048576' AND bytes_read > 0"), 1) << "its costs are known";
  EXPECT_EQ(count("trial WHERE config_key = 'old key 3'"), 1);
  EXPECT_EQ(count("trial"), trials_before - 1) << "no other row is lost";
  EXPECT_EQ(count("certificate WHERE seed = 8"), 1);
  EXPECT_EQ(count("access WHERE barriers IN (3, 4)"), 1);
  EXPECT_EQ(count("access WHERE barriers = 4"), 1) << "the later count";
  const auto answer = best(store, {.arch = "sm_90", .shape = Shape{1 << 20}}).at(0);
  EXPECT_EQ(answer.winner.trial.config_key, "old key 4") << "the later ranking, whole";
  EXPECT_EQ(count("trial WHERE rank = 1 AND config_key IN ('old key 3', 'old key 4')"), 1);
  EXPECT_EQ(count("trial WHERE rank = 2 AND config_key = 'old key 3'"), 1);
}

TEST_F(OldFile, KeepsItsLinesInTodaysSpellingAndSaysWhichAreObsolete) {
  const Store store(path_);
  std::set<std::string> open;
  for (const Counterexample& one : store.counterexamples()) {
    open.insert(one.repro);
    EXPECT_EQ(one.first_seen, "2026-11-01T12:00:00.000Z");
    EXPECT_EQ(one.detail, "element 0 is 3 instead of 4");
  }
  EXPECT_THAT(
      open,
      ElementsAre(
          "kernel=reduce/sequential params={.block_size = 32} "
          "problem=reduce[op=sum,data=uniform,float,1024] input=exact:7 check=oracle schedule=3:1 target=host/sm_75",
          "kernel=transpose/copy params={.tile_dim = 32} problem=transpose[data=uniform,float,8x8] "
          "input=exact:1 check=oracle schedule=1:1 target=host/sm_75"));
  const auto all = store.counterexamples("*", true);
  ASSERT_THAT(all, SizeIs(4));
  for (const Counterexample& one : all) {
    EXPECT_EQ(one.obsolete.has_value(), one.repro == "reduce/sequential block_size=32 n=17") << one.repro;
    EXPECT_EQ(one.fixed_at.has_value(), one.repro.find(".block_size = 64") != std::string::npos) << one.repro;
    EXPECT_THAT(one.obsolete.value_or("names no problem"), HasSubstr("names no problem"));
  }
}

TEST_F(OldFile, NamesTheArchitectureThatItsHostStoodInFor) {
  SQLite::Database(path_.string(), SQLite::OPEN_READWRITE)
      .exec(
          "UPDATE trial SET verdict = 'failed', detail = 'wrong; reproduce: conform --repro ''kernel=a/b target=host'''"
          " WHERE config_key = 'old key 2'");
  EXPECT_GT(count("mutant WHERE tool = 'host'"), 0);
  EXPECT_GT(count("conformance_run WHERE target = 'host'"), 0);
  const std::int64_t accesses = count("access");
  const Store store(path_);
  for (const char* where : {"mutant WHERE tool", "conformance_run WHERE target", "trial WHERE target"})
    EXPECT_EQ(count(std::string(where) + " = 'host'"), 0) << where;
  EXPECT_GT(count("mutant WHERE tool = 'host/sm_75'"), 0);
  EXPECT_GT(count("conformance_run WHERE target = 'host/sm_75'"), 0);
  EXPECT_EQ(count("access WHERE target = 'host/sm_75'"), accesses - 1) << "two of them are one row now";
  EXPECT_EQ(count("trial WHERE detail = 'wrong; reproduce: conform --repro ''kernel=a/b target=host/sm_75'''"), 1);
  for (const Counterexample& one : store.counterexamples("*", true))
    EXPECT_THAT(one.repro, testing::Not(testing::EndsWith("target=host")));
}

TEST_F(OldFile, TakesTheVerdictsOfTodayAndNoOthers) {
  const Store store(path_);
  const auto set = [&](const std::string& verdict) {
    Statement row(store.connection(), "UPDATE trial SET verdict = ? WHERE config_key = 'old key 2'");
    row.bind_all(verdict);
    row.step();
  };
  for (const std::string_view verdict : all_verdict_words()) EXPECT_NO_THROW(set(std::string(verdict))) << verdict;
  EXPECT_THAT(error_of([&] { set("fine"); }), HasSubstr("trial.verdict is one of the verdict words"));
}

TEST_F(OldFile, KeepsHowRunsOfConformEndedAndTakesWhatEndsByTime) {
  const Store store(path_);
  EXPECT_EQ(count("conformance_run WHERE ended_how = 'complete' AND progress = '[]'"), 1);
  const auto set = [&](const std::string& column, const std::string& value) {
    Statement row(store.connection(), "UPDATE conformance_run SET " + column + " = ?");
    row.bind_all(value);
    row.step();
  };
  for (const char* how : {"complete", "out of time", "interrupted", "failed"}) EXPECT_NO_THROW(set("ended_how", how));
  EXPECT_THAT(error_of([&] { set("ended_how", "passed"); }),
              HasSubstr("conformance_run.ended_how is complete, out of"));
  EXPECT_THAT(error_of([&] { set("progress", "far"); }), HasSubstr("conformance_run.progress is JSON"));
}

TEST_F(OldFile, JoinsVariantsAsTodayIsDone) {
  const Store store(path_);
  EXPECT_EQ(count("problem WHERE variant = 'mode=inclusive,op=sum'"), 1);
  EXPECT_EQ(count("problem WHERE variant LIKE '%, %'"), 0);
}

TEST_F(OldFile, MergesIntoANewOneOnceItIsUpToDate) {
  Store all(folder_ / "all.db");
  const std::string refusal = error_of([&] { merge(all, path_); });
  EXPECT_THAT(refusal, AllOf(HasSubstr("has schema version 2"), HasSubstr("tunedb merge --db")));
  EXPECT_THAT(trials(all, {}), IsEmpty());
  fs::copy(path_, folder_ / "copy.db");
  std::size_t stored = 0;
  {
    Store copy(folder_ / "copy.db");
    EXPECT_EQ(merge(copy, folder_ / "copy.db").trials, 0) << "what the refusal advises";
    stored = trials(copy, {}).size();
  }
  EXPECT_EQ(merge(all, folder_ / "copy.db").trials, static_cast<std::int64_t>(stored));
  EXPECT_EQ(merge(all, folder_ / "copy.db").trials, 0);
  EXPECT_THAT(check(all), IsEmpty());
  EXPECT_THAT(all.counterexamples("*", true), SizeIs(4));
}

TEST_F(OldFile, OpenedForReadingIsLeftAloneAndSaysWhatToDo) {
  const std::string before = bytes_of(path_);
  EXPECT_THAT(error_of([&] { Store(path_, Mode::read_only); }),
              AllOf(HasSubstr("has schema version 2 and this program reads"), HasSubstr("tunedb merge --db")));
  EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(OldFile, ThatCannotBeBroughtUpToDateIsLeftAsItWas) {
  SQLite::Database(path_.string(), SQLite::OPEN_READWRITE).exec("UPDATE trial SET problem_id = 999 WHERE id = 1");
  EXPECT_THAT(error_of([&] { Store store(path_); }), HasSubstr("refers to problem 999, which is not there"));
  EXPECT_EQ(count("schema"), 2);
  EXPECT_EQ(count("problem WHERE size_class = '2^28'"), 1);
}

}  // namespace
}  // namespace warpwright::db
