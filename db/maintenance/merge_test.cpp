// Tests of merging: its laws on random databases, and the rules for rows that may change.
#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "db/maintenance/check.hpp"
#include "db/query/query.hpp"
#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"
#include "db/store/union_rows.hpp"

namespace warpwright::db {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// The content of a file without row ids and row order, which are local to it.
std::multiset<std::string> content(const Store& store) {
  constexpr const char* queries[] = {
      "SELECT 'board', identity FROM board",
      "SELECT 'environment', identity FROM environment",
      "SELECT 'kernel', pattern, kernel, source_hash, updated_at FROM kernel",
      "SELECT 'configuration', k.kernel, c.params, c.params_json FROM configuration c JOIN kernel k ON k.id = "
      "kernel_id",
      "SELECT 'problem', identity FROM problem",
      "SELECT 'session', uid, ended_at, ended_how, warnings FROM session",
      "SELECT 'trial', t.identity, t.verdict, t.median_us, b.model, s.uid, t.rank, t.tied, t.selection,"
      " hex(m.microseconds) FROM trial t LEFT JOIN board b ON b.id = t.board_id LEFT JOIN session s ON"
      " s.id = t.session_id LEFT JOIN sample m ON m.trial_id = t.id",
      "SELECT 'launch', t.identity, l.number, l.entry, l.times FROM launch l JOIN trial t ON t.id = l.trial_id",
      "SELECT 'access', c.params, p.shape, a.launch, a.shared_requests, a.updated_at FROM access a JOIN configuration "
      "c ON"
      " c.id = a.configuration_id JOIN problem p ON p.id = a.problem_id",
      "SELECT 'certificate', t.identity, c.cases, c.seed FROM certificate c JOIN trial t ON t.id = c.trial_id",
      "SELECT 'baseline', identity FROM baseline",
      "SELECT 'conformance_run', uid, ended_how, cases, refused FROM conformance_run",
      "SELECT 'counterexample', repro, detail, first_seen, last_seen, times_seen, fixed_at, obsolete, file FROM "
      "counterexample"};
  std::multiset<std::string> rows;
  for (const char* query : queries) {
    SQLite::Statement statement(store.connection().database(), query);
    while (statement.executeStep()) {
      std::string row;
      for (int i = 0; i < statement.getColumnCount(); ++i) row += statement.getColumn(i).getString() + "|";
      rows.insert(row);
    }
  }
  return rows;
}

std::string day(int number) {
  return "2026-01-0" + std::to_string(number) + "T00:00:00.000Z";
}

// A random change to a database. Values are small, so that two databases often have the same rows.
struct Change {
  int kind = 0;
  int a = 0;
  int b = 0;
};

std::ostream& operator<<(std::ostream& out, const Change& change) {
  return out << "{" << change.kind << ", " << change.a << ", " << change.b << "}";
}

void apply(ExampleTrials& example, const Change& change) {
  Store& store = example.store;
  switch (change.kind) {
    case 0: {
      Trial trial = example.measured(change.a, 1 + change.b);
      if (change.b == 2) trial.board_id.reset();
      const std::vector<Launch> launches{{.entry = "first"}, {.number = 1, .entry = change.a == 1 ? "b" : "c"}};
      store.add_trial(trial, std::vector<double>(static_cast<std::size_t>(change.b), 1.0), {},
                      std::span(launches).first(static_cast<std::size_t>(change.b)));
      break;
    }
    case 1: {
      const Id best = store.add_trial(example.measured(change.a, 1));
      const Id second = store.add_trial(example.measured(change.b, 2));
      store.set_ranking(example.problem, example.board, "measured",
                        std::vector<Ranked>{{best, 1, true}, {second, 2, change.a == 1}});
      break;
    }
    case 2: {
      store.upsert(Kernel{.pattern = "transpose", .kernel = "tiled", .source_hash = "s" + std::to_string(change.a)});
      break;
    }
    case 3: {
      Session session = store.session(example.session);
      session.warnings = "warning " + std::to_string(change.a);
      session.ended_how = "complete";
      session.ended_at = day(1 + change.b);
      store.update_session(example.session, session);
      break;
    }
    case 4: {
      store.put_access({.configuration_id = example.configuration(change.a),
                        .problem_id = example.problem,
                        .launch = change.b - 1,
                        .shared_requests = change.b});
      break;
    }
    case 5: {
      store.add_certificate({.trial_id = store.add_trial(example.measured(change.a, 1)),
                             .cases = 200,
                             .seed = static_cast<std::uint64_t>(change.b),
                             .created_at = day(1)});
      break;
    }
    case 6: {
      const std::string repro = "line " + std::to_string(change.a);
      store.saw_counterexample({.pattern = "reduce",
                                .kernel = "k",
                                .repro = repro,
                                .detail = "detail " + std::to_string(change.b),
                                .last_seen = day(1 + change.b),
                                .file = std::string(static_cast<std::size_t>(change.b) % 3, 'f')});
      if (change.b == 1) store.fixed_counterexample(repro);
      if (change.a == 2) store.obsolete_counterexample(repro, "reason " + std::to_string(change.b));
      break;
    }
    case 7: {
      store.add_baseline({.implementation = "cub",
                          .problem_id = example.problem,
                          .board_id = example.board,
                          .created_at = day(1),
                          .verdict = "passed",
                          .median_us = change.a});
      break;
    }
    default: {
      store.end_conformance_run(store.begin_conformance_run({.command = "conform"}), "complete", change.a, change.b,
                                change.a);
    }
  }
}

using Changes = std::vector<Change>;

Changes draw_changes() {
  return *rc::gen::container<Changes>(rc::gen::apply(
      [](int kind, int a, int b) {
        return Change{kind, a, b};
      },
      rc::gen::inRange(0, 9), rc::gen::inRange(0, 3), rc::gen::inRange(0, 3)));
}

void make(const fs::path& path, const Changes& changes) {
  Store store = new_store(path);
  store.connection().execute("PRAGMA synchronous = OFF");
  ExampleTrials example{store};
  for (const Change& change : changes) apply(example, change);
}

// The content of a new file into which these files were merged, in this order.
std::multiset<std::string> united(const fs::path& into, const std::vector<fs::path>& parts) {
  Store store = new_store(into);
  store.connection().execute("PRAGMA synchronous = OFF");
  for (const fs::path& part : parts) merge(store, part);
  RC_ASSERT(check(store).empty());
  return content(store);
}

RC_GTEST_PROP(Merging, IsIdempotentCommutativeAndAssociative, ()) {
  TemporaryFolder folder(memory_folder());
  const fs::path a = folder / "a.db", b = folder / "b.db", c = folder / "c.db";
  for (const fs::path& path : {a, b, c}) make(path, draw_changes());
  const auto ab = united(folder / "ab.db", {a, b});
  RC_ASSERT(united(folder / "a2.db", {a, a}) == content(Store(a, Mode::read_only)));
  RC_ASSERT(united(folder / "aba.db", {a, b, a, b}) == ab);
  RC_ASSERT(united(folder / "ba.db", {b, a}) == ab);
  united(folder / "bc.db", {b, c});
  RC_ASSERT(united(folder / "a_bc.db", {a, folder / "bc.db"}) == united(folder / "ab_c.db", {folder / "ab.db", c}));
}

RC_GTEST_PROP(Merging, LosesNoTrialSampleCertificateOrBaseline, ()) {
  TemporaryFolder folder(memory_folder());
  const fs::path a = folder / "a.db", b = folder / "b.db";
  make(a, draw_changes());
  make(b, draw_changes());
  Store store(a);
  const auto kept = [](const Store& from) {
    std::set<std::string> rows;
    for (const TrialView& view : trials(from, {})) {
      std::string row = view.trial.identity;
      for (const double sample : from.samples(view.trial.id).microseconds) row += " " + std::to_string(sample);
      rows.insert(row);
      for (const Certificate& one : view.certificates) rows.insert(row + " seed " + std::to_string(one.seed));
    }
    for (const Baseline& baseline : from.baselines()) rows.insert(baseline.identity);
    return rows;
  };
  std::set<std::string> expected = kept(store);
  const Store other(b, Mode::read_only);
  expected.merge(kept(other));
  merge(store, b);
  RC_ASSERT(kept(store) == expected);
}

class MergeTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store a_{folder_ / "a.db"};
  Store b_{folder_ / "b.db"};
  ExampleTrials in_a_{a_};
  ExampleTrials in_b_{b_};
};

TEST_F(MergeTest, PointsRowsAtTheirReferencesThoughIdsDiffer) {
  for (int i = 0; i < 5; ++i) a_.add_trial(in_a_.measured(100 + i, 1));
  a_.upsert(Board{.model = "other", .arch = "sm_75"});
  const Id rtx = b_.upsert(Board{.model = "RTX 2070", .arch = "sm_75"});
  Trial trial = in_b_.measured(32, 4);
  trial.board_id = rtx;
  trial.target = "sm_75";
  const Id there = b_.add_trial(trial, std::vector{4.0}, {}, std::vector{Launch{.entry = "tiled<32>", .times = 3}});
  b_.add_certificate({.trial_id = there, .cases = 200});
  EXPECT_EQ(merge(a_, b_.path()).trials, 1);
  const std::vector<TrialView> found = trials(a_, {.arch = "sm_75"});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NE(found[0].trial.id, there);
  EXPECT_EQ(found[0].board->model, "RTX 2070");
  EXPECT_EQ(found[0].params, "{.tile_dim = 32}");
  EXPECT_THAT(found[0].certificates, SizeIs(1));
  EXPECT_THAT(a_.samples(found[0].trial.id).microseconds, testing::ElementsAre(4.0));
  ASSERT_THAT(a_.launches(found[0].trial.id), SizeIs(1));
  EXPECT_EQ(a_.launches(found[0].trial.id)[0].times, 3);
  EXPECT_THAT(a_.sessions(), SizeIs(1)) << "one session, known to both by its uid";
}

TEST_F(MergeTest, AnAccuracyThatTheOtherFileDoesNotKnowStays) {
  Trial trial = in_a_.measured(16, 1);
  b_.add_trial(in_b_.measured(16, 1));
  trial.error_ulp = 2;
  trial.deterministic = true;
  a_.add_trial(trial);
  merge(a_, b_.path());
  EXPECT_EQ(a_.find_trial("key-16")->error_ulp, 2);
  merge(b_, a_.path());
  EXPECT_EQ(b_.find_trial("key-16")->error_ulp, 2);
  EXPECT_EQ(b_.find_trial("key-16")->deterministic, true);
}

TEST_F(MergeTest, KeepsTheLaterRankingAsAUnit) {
  const Id old_best = a_.add_trial(in_a_.measured(16, 1));
  a_.set_ranking(in_a_.problem, in_a_.board, "measured", std::vector<Ranked>{{old_best, 1, true}}, day(1));
  const Id new_best = b_.add_trial(in_b_.measured(32, 1));
  b_.set_ranking(in_b_.problem, in_b_.board, "measured", std::vector<Ranked>{{new_best, 1, false}}, day(2));
  merge(a_, b_.path());
  EXPECT_EQ(a_.trial(old_best).rank, std::nullopt);
  EXPECT_FALSE(a_.trial(old_best).tied);
  EXPECT_EQ(a_.find_trial("key-32")->rank, 1);
}

TEST_F(MergeTest, ACounterexampleSeenAfterItsFixIsNotFixed) {
  const Counterexample seen{.pattern = "p", .kernel = "k", .repro = "line", .detail = "early", .last_seen = day(1)};
  a_.saw_counterexample(seen);
  a_.fixed_counterexample("line");
  b_.saw_counterexample(
      {.pattern = "p", .kernel = "k", .repro = "line", .detail = "late", .last_seen = "2999-01-01T00:00:00.000Z"});
  merge(a_, b_.path());
  ASSERT_THAT(a_.counterexamples(), SizeIs(1));
  EXPECT_EQ(a_.counterexamples()[0].detail, "late");
  EXPECT_EQ(a_.counterexamples()[0].first_seen, day(1));
}

TEST_F(MergeTest, WithItselfChangesNothing) {
  a_.add_trial(in_a_.measured(16, 1));
  const auto before = content(a_);
  EXPECT_EQ(merge(a_, a_.path()).trials, 0);
  EXPECT_EQ(content(a_), before);
}

TEST_F(MergeTest, ReadsAFileThatAnotherStoreHasOpenAndDoesNotChangeIt) {
  b_.add_trial(in_b_.measured(16, 1));
  const auto before = content(b_);
  EXPECT_EQ(merge(a_, b_.path()).trials, 1);
  EXPECT_EQ(merge(a_, b_.path()).trials, 0);
  EXPECT_EQ(content(b_), before);
}

TEST_F(MergeTest, RefusesADamagedFileAndKeepsTheStoreAsItWas) {
  b_.add_trial(in_b_.measured(16, 1), std::vector{1.0});
  b_.connection().execute("UPDATE trial SET median_us = 0.5");
  const auto before = content(a_);
  EXPECT_THAT(error_of([&] { merge(a_, b_.path()); }), HasSubstr("damaged and was not merged"));
  EXPECT_EQ(content(a_), before);
  EXPECT_THAT(error_of([&] { merge(a_, folder_ / "none.db"); }), HasSubstr("no such file"));
}

TEST(Merging, RankingsAreComparedInOnePassNotEachTrialWithAllOthers) {
  const TemporaryFolder folder(memory_folder());
  const Store store = new_store(folder / "a.db");
  Statement plan(store.connection(), std::string("EXPLAIN QUERY PLAN ") + keep_latest_rankings);
  std::string steps;
  while (plan.step()) steps += plan.get<std::string>(3) + "\n";
  EXPECT_THAT(steps, HasSubstr("trial_by_selection"));
  EXPECT_THAT(steps, Not(HasSubstr("CORRELATED")));
}

}  // namespace
}  // namespace warpwright::db
