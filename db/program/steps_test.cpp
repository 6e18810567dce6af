// Tests of `tunedb steps`: its table, its sum, and what it says without times of steps.
#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "db/program/data_tables.hpp"
#include "db/store/fixture.hpp"
#include "kernels/system/child_process.hpp"

namespace warpwright::db {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class StepsCommand : public testing::Test {
 protected:
  void SetUp() override {
    Store store(folder_ / "a.db");
    ExampleTrials example{store};
    const Id trial = store.add_trial(example.measured(32, 24));
    const auto put = [&](int number, const char* kind, int stream, double start, double end) {
      store.put_step({.trial_id = trial,
                      .number = number,
                      .kind = kind,
                      .name = "tiled<32>",
                      .stream = stream,
                      .start_us = start,
                      .end_us = end,
                      .us = end - start});
    };
    put(0, "copy to GPU", 0, 0, 15);
    put(1, "launch", 1, 9, 24);
    store.add_trial(example.measured(16, 30));
    const Id waits = store.add_trial(example.measured(64, 30));
    store.put_step({.trial_id = waits, .number = 0, .kind = "wait", .name = "event 0", .end_us = 5, .us = 5});
    const Id at_once = store.add_trial(example.measured(128, 30));
    store.put_step({.trial_id = at_once, .number = 0, .kind = "launch", .name = "tiled<128>"});
  }

  std::pair<int, std::string> run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{WARPWRIGHT_BINARY_DIR "/bin/tunedb", "steps", "--db", "a.db"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto ended = simulator::run_process(command, folder_.path(), std::chrono::seconds(60));
    return {ended.exit_code, ended.output};
  }

  TemporaryFolder folder_;
};

TEST_F(StepsCommand, PrintsEveryStepAndTheSum) {
  const auto [code, text] = run({"1"});
  EXPECT_EQ(code, 0);
  EXPECT_THAT(text, HasSubstr("copy to GPU"));
  EXPECT_THAT(text, HasSubstr("tiled<32>"));
  EXPECT_THAT(text, HasSubstr("24.00 us from the first begin to the last end; 30.00 us in all steps (copy to GPU 50.0 "
                              "%, launch 50.0 %); 15.00 us if everything overlapped\n"));
}

TEST_F(StepsCommand, PrintsNoSharesOfNothing) {
  EXPECT_THAT(run({"3"}).second, HasSubstr("5.00 us from the first begin to the last end; 0.00 us in all steps\n"));
  EXPECT_THAT(run({"4"}).second, HasSubstr("0.00 us from the first begin to the last end; 0.00 us in all steps\n"));
}

TEST_F(StepsCommand, PrintsDataToo) {
  const auto rows = nlohmann::json::parse(run({"1", "--json"}).second);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[1]["stream"], 1);
  EXPECT_EQ(rows[1]["start_us"], 9);
  EXPECT_THAT(run({"1", "--csv"}).second, HasSubstr("step,kind,stream,times,start_us,end_us,us,name"));
}

TEST_F(StepsCommand, SaysWhichTrialsHaveTimesOfSteps) {
  const auto [code, text] = run({"2"});
  EXPECT_EQ(code, 1);
  EXPECT_THAT(text, HasSubstr("trial 2 has no times of steps: `tune` measures them for finalists with several steps"));
  EXPECT_EQ(run({"9"}).first, 1);
}

}  // namespace
}  // namespace warpwright::db
