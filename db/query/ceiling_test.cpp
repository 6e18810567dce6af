// Tests of the ceilings of problems.
#include "db/query/ceiling.hpp"

#include <gmock/gmock.h>

#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::Optional;

Rates measured() {
  return {.copy_gbs = 4000,
          .read_gbs = 4400,
          .to_device_gbs = 55,
          .to_host_gbs = 50,
          .float_gflops = 60e3,
          .double_gflops = 30e3};
}

TEST(Ceiling, IsReadBandwidthIfLittleIsWrittenElseCopyBandwidth) {
  const Ceiling read = ceiling_of({.bytes_read = 8.8e6, .bytes_written = 4}, measured());
  EXPECT_EQ(read.words() + " " + read.text(), "read ceiling 4400 GB/s");
  EXPECT_NEAR(read.us(), 2, 1e-5);
  EXPECT_THAT(read.share_at(4), Optional(testing::DoubleNear(0.5, 1e-5)));
  const Ceiling copy = ceiling_of({.bytes_read = 4e6, .bytes_written = 4e6}, measured());
  EXPECT_EQ(copy.words() + " " + copy.text(), "copy ceiling 4000 GB/s");
  EXPECT_EQ(copy.text_at(4), "2000 GB/s");
}

TEST(Ceiling, IsTheArithmeticOfItsPrecisionIfThatTakesLonger) {
  for (const bool is_float : {true, false}) {
    Problem problem{.bytes_read = 4.4e6, .operations = 120e6, .arithmetic = is_float ? "float" : "double"};
    const Ceiling ceiling = ceiling_of(problem, measured());
    EXPECT_EQ(ceiling.words() + " " + ceiling.text(),
              std::string("arithmetic ceiling ") + (is_float ? "60" : "30") + " TFLOP/s");
    EXPECT_NEAR(ceiling.us(), is_float ? 2 : 4, 1e-9);
    problem.operations = 20e6;
    EXPECT_EQ(ceiling_of(problem, measured()).name, "read");
    problem.arithmetic.clear();
    problem.operations = 120e6;
    EXPECT_EQ(ceiling_of(problem, measured()).name, "read") << "nobody knows whose rate";
  }
  EXPECT_EQ(ceiling_of({.operations = 1e6, .arithmetic = "float"}, measured()).name, "arithmetic")
      << "it moves nothing";
}

TEST(Ceiling, IsTheBusDirectionThatTakesLongestIfDataCrossesTheBus) {
  const Problem problem{.bytes_read = 1e9, .operations = 1e15, .arithmetic = "float"};
  EXPECT_NE(ceiling_of(problem, measured()).name, "bus");
  Problem crossing = problem;
  crossing.bus_to_device = crossing.bus_to_host = 100e6;
  const Ceiling ceiling = ceiling_of(crossing, measured());
  EXPECT_EQ(ceiling.words(), "bus ceiling");
  EXPECT_NEAR(ceiling.rate, 50, 1e-9);
  EXPECT_NEAR(ceiling.us(), 2000, 1e-6);
  EXPECT_FALSE(ceiling_of(crossing, {.copy_gbs = 4000, .read_gbs = 4000}).is_known()) << "memory does not bound it";
}

TEST(Ceiling, OfABoardWithoutMeasurementsIsItsPeak) {
  Board board{.sm_count = 132,
              .sm_clock_mhz = 1980,
              .memory_bandwidth_gbs = 4800,
              .fp32_lanes_per_sm = 128,
              .fp64_lanes_per_sm = 64};
  const Problem problem{.bytes_read = 4.8e6, .operations = 1e9, .arithmetic = "float"};
  const Ceiling arithmetic = ceiling_of(problem, rates_of(board));
  EXPECT_EQ(arithmetic.words() + " " + arithmetic.text(), "board's peak arithmetic 66.91 TFLOP/s");
  board.fp32_lanes_per_sm = 0;
  const Ceiling memory = ceiling_of(problem, rates_of(board));
  EXPECT_EQ(memory.words() + " " + memory.text(), "board's peak bandwidth 4800 GB/s");
}

TEST(Ceiling, WithoutAKnownRateGivesNoShare) {
  EXPECT_FALSE(ceiling_of({.bytes_read = 1e6}, {}).share_at(1));
  EXPECT_FALSE(ceiling_of({}, measured()).share_at(1));
  EXPECT_FALSE(ceiling_of({.bytes_read = 1e6}, measured()).share_at(std::nullopt));
  EXPECT_FALSE(ceiling_of({.bytes_read = 1e6}, measured()).share_at(0));
}

class MeasuredCeilings : public testing::Test {
 protected:
  MeasuredCeilings() : example_{store_} {
    problem_.id = store_.upsert(problem_);
    board_ = store_.boards().at(0);
  }

  // A session with this read rate, and a trial of it.
  void session(double read_gbs, double us, const std::string& verdict = "passed") {
    Trial trial = example_.measured(16, us);
    trial.verdict = verdict;
    trial.problem_id = problem_.id;
    trial.session_id = store_.begin_session({.read_gbs = read_gbs});
    store_.add_trial(trial);
  }
  double rate() const { return Ceilings(store_).of(problem_, board_).rate; }

  const TemporaryFolder folder_{memory_folder()};
  Store store_ = new_store(folder_ / "a.db");
  ExampleTrials example_;
  Problem problem_{.pattern = "sum", .types = "float", .shape = "1000000000", .bytes_read = 4e9};
  Board board_;
};

TEST_F(MeasuredCeilings, AreTheHighestRatesOfAllSessionsOfTheBoard) {
  EXPECT_FALSE(Ceilings(store_).of(problem_, board_).is_known());
  session(4200, 2000);
  session(4000, 2000);
  EXPECT_NEAR(rate(), 4200, 1e-6);
  Board other = board_;
  other.model = "another";
  EXPECT_FALSE(Ceilings(store_).of(problem_, other).is_known());
}

TEST_F(MeasuredCeilings, ARightSolutionThatIsFasterRaisesThemForAllLargeProblems) {
  session(4000, 995, "mistrusted");
  EXPECT_NEAR(rate(), 4000, 1e-6);
  session(4000, 980);
  EXPECT_NEAR(rate(), 4e9 / 980 / 1e3, 1e-6);
  EXPECT_THAT(Ceilings(store_).of(problem_, board_).share_at(980), Optional(testing::DoubleNear(1, 1e-9)));
  Problem twice = problem_;
  twice.bytes_read *= 2;
  twice.id = 0;
  EXPECT_NEAR(Ceilings(store_).of(twice, board_).rate, 4e9 / 980 / 1e3, 1e-6);
}

TEST_F(MeasuredCeilings, AProblemOfTheSizeOfTheL2RaisesOnlyItsOwn) {
  const Problem large = problem_;
  problem_.shape = "10000000";
  problem_.bytes_read = 4e7;
  problem_.id = store_.upsert(problem_);
  session(4000, 8);
  EXPECT_NEAR(rate(), 5000, 1e-6);
  EXPECT_NEAR(Ceilings(store_).of(large, board_).rate, 4000, 1e-6);
}

TEST(Lanes, OfABoardAreKeptIfARecordingDoesNotNameThem) {
  const TemporaryFolder folder(memory_folder());
  Store store = new_store(folder / "a.db");
  Board board{.model = "H200", .arch = "sm_90", .sm_count = 132, .source = "device"};
  store.upsert(board);
  EXPECT_EQ(store.boards().at(0).fp32_lanes_per_sm, 0) << "as in a file of an older program";
  board.fp32_lanes_per_sm = 128;
  board.fp64_lanes_per_sm = 64;
  const Id id = store.upsert(board);
  board.fp32_lanes_per_sm = board.fp64_lanes_per_sm = 0;
  EXPECT_EQ(store.upsert(board), id) << "it is the same board";
  ASSERT_THAT(store.boards(), testing::SizeIs(1));
  EXPECT_EQ(store.boards().at(0).fp32_lanes_per_sm, 128);
  EXPECT_EQ(store.boards().at(0).fp64_lanes_per_sm, 64);
}

}  // namespace
}  // namespace warpwright::db
