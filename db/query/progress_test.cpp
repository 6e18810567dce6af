// Tests of how far each kernel got in a run: stored, read and shown.
#include "db/query/progress.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "db/exchange/json.hpp"
#include "db/exchange/print.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<KernelProgress> two{{.kernel = "reduce/tree", .cases = 40, .verdict = "passed"},
                                      {.kernel = "reduce/late", .cases = 0, .verdict = "not run"}};

ConformanceRun ended(const std::string& how) {
  return {.target = "host/sm_90",
          .glob = "*",
          .started_at = "2026-11-22T02:00:00.000Z",
          .ended_how = how,
          .cases = 40,
          .progress = progress_text(two)};
}

TEST(Progress, IsReadAsItWasStored) {
  TemporaryFolder folder{memory_folder()};
  Store store(folder / "a.db");
  store.begin_conformance_run(ended("out of time"));
  const auto read = progress_of(store.conformance_runs().at(0));
  EXPECT_THAT(read, ElementsAre(testing::Field(&KernelProgress::kernel, "reduce/tree"),
                                AllOf(testing::Field(&KernelProgress::cases, 0),
                                      testing::Field(&KernelProgress::verdict, "not run"))));
}

TEST(Progress, DamagedEntriesAreLeftOut) {
  ConformanceRun run;
  for (const char* text : {"", "{}", "[1, {}, {\"kernel\": 3, \"cases\": \"x\", \"verdict\": 0}]", "nonsense"}) {
    run.progress = text;
    EXPECT_THAT(progress_of(run), IsEmpty()) << text;
  }
}

TEST(Progress, OfARunThatEndedEarlyListsTheLeastAdvancedKernelFirst) {
  EXPECT_THAT(unfinished(ended("complete")), IsEmpty());
  EXPECT_EQ(unfinished(ended("out of time")).at(0).kernel, "reduce/late");
  const std::string text = text_table({ended("complete"), ended("out of time"), ended("complete")});
  std::vector<std::string> first_words;
  std::istringstream lines(text);
  for (std::string line, word; std::getline(lines, line); first_words.push_back(word)) std::istringstream(line) >> word;
  EXPECT_THAT(first_words, ElementsAre("started", "2026-11-22T02:00:00.000Z", "2026-11-22T02:00:00.000Z", "reduce/late",
                                       "reduce/tree", "2026-11-22T02:00:00.000Z"))
      << text;
  EXPECT_THAT(text, AllOf(HasSubstr("0 cases"), HasSubstr("not run"), HasSubstr("40 cases"), HasSubstr("out of time")));
  EXPECT_THAT(text_table(std::vector{ended("complete")}), Not(HasSubstr("reduce/late")));
}

TEST(Progress, IsInTheJsonOfEveryRun) {
  const Json json = json_of(ended("complete"));
  EXPECT_EQ(json["progress"].size(), 2U);
  EXPECT_EQ(json["progress"][1]["verdict"], "not run");
  EXPECT_TRUE(json["ended_at"].is_null());
}

}  // namespace
}  // namespace warpwright::db
