// Tests of comparing one problem's settings across boards: what each board's best costs on the others, and the setting
// that loses least.
#include "db/query/cross_board.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "db/exchange/cross_board_text.hpp"
#include "db/query/cells.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CrossBoardTest : public testing::Test {
 protected:
  Id board(const std::string& model, const std::string& arch = "sm_90") {
    return store_.upsert(
        Board{.model = model, .arch = arch, .sm_count = 132, .memory_bandwidth_gbs = 3350, .source = "device"});
  }

  // Adds a measured trial of that tile size on that board.
  Id add(Id board, int tile, double us, std::optional<int> rank = {}, bool tied = false) {
    Trial trial = example_.measured(tile, us);
    trial.board_id = board;
    for (const Board& row : store_.boards())
      if (row.id == board) trial.target = row.arch;
    trial.config_key += "-" + std::to_string(board) + (rank ? "r" : "");
    const Id id = store_.add_trial(trial);
    if (rank) ranked_[board].push_back({.trial_id = id, .rank = *rank, .tied = tied});
    return id;
  }

  std::vector<CrossBoard> all(const Filter& filter = {}) {
    for (const auto& [board, ranked] : ranked_) store_.set_ranking(example_.problem, board, "measured", ranked);
    return cross_board_problems(store_, filter);
  }

  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
  std::map<Id, std::vector<Ranked>> ranked_;
  const Id h100_ = board("NVIDIA H100");
  const Id h200_ = example_.board;
};

TEST_F(CrossBoardTest, PredictedTrialsAreIgnored) {
  add(h200_, 16, 10);
  store_.add_trial(example_.predicted(32, 12));
  const Cells timed = read_timed_cells(store_, {}), all = read_cells(store_, {});
  EXPECT_THAT(timed, SizeIs(1));
  EXPECT_EQ(timed.begin()->second.kind, Kind::measured);
  EXPECT_THAT(all, SizeIs(2));
}

TEST_F(CrossBoardTest, IsEmptyForOneBoardOrForPredictionsOnly) {
  add(h200_, 16, 10);
  Trial predicted = example_.predicted(16, 12);
  predicted.board_id = h100_;
  store_.add_trial(predicted);
  EXPECT_THAT(all(), IsEmpty());
  EXPECT_EQ(sentence_of({}), "No problem was timed on two boards.");
}

TEST_F(CrossBoardTest, TheBestOfEachBoardIsComparedWithTheBestOfTheOthers) {
  add(h100_, 16, 100, 1);
  add(h100_, 32, 108);
  add(h100_, 64, 103);
  add(h200_, 16, 111.5);
  add(h200_, 32, 100, 1);
  add(h200_, 64, 102);
  const auto found = all();
  ASSERT_THAT(found, SizeIs(1));
  const CrossBoard& one = found[0];
  ASSERT_THAT(one.boards, SizeIs(2));
  EXPECT_EQ(one.boards[0].board.model, "NVIDIA H100");
  EXPECT_EQ(one.boards[0].best.params, "{.tile_dim = 16}");
  EXPECT_EQ(one.boards[0].costs[0]->loss, 0);
  EXPECT_NEAR(one.boards[0].costs[1]->loss, 0.115, 1e-9);
  EXPECT_NEAR(one.boards[1].costs[0]->loss, 0.08, 1e-9);
  EXPECT_TRUE(one.moves());
  ASSERT_TRUE(one.dearest());
  EXPECT_EQ(one.dearest()->from, 0);
  EXPECT_EQ(one.dearest()->to, 1);
  ASSERT_TRUE(one.compromise);
  EXPECT_EQ(one.compromise->setting.params, "{.tile_dim = 64}");
  EXPECT_EQ(one.compromise->among, 3);
  EXPECT_EQ(one.compromise->worst, 0);
  EXPECT_NEAR(one.compromise->costs[0].loss, 0.03, 1e-9);
  EXPECT_NEAR(one.compromise->costs[1].loss, 0.02, 1e-9);
  EXPECT_THAT(sentence_of(found),
              HasSubstr("of 1 the best configurations move from board to board. Most is lost on transpose "
                        "8192x8192 float, data=uniform: the best configurations of NVIDIA H100 are 11.5 % "
                        "slower on NVIDIA H200 than its own."));
  EXPECT_THAT(text_of(found),
              AllOf(HasSubstr("best on NVIDIA H100 (sm_90): tiled {.tile_dim = 16}"),
                    HasSubstr("on NVIDIA H200: 111.50 us, + 11.5 %"),
                    HasSubstr("one for all: tiled {.tile_dim = 64}, slower by 3.0 % at most (on NVIDIA H100); 3 "
                              "settings timed on all boards")));
  const Json json = json_of(one);
  EXPECT_EQ(json["one_for_all"]["worst_board"], "NVIDIA H100");
  EXPECT_NEAR(json["boards"][0]["costs"]["NVIDIA H200"]["loss"].get<double>(), 0.115, 1e-9);
  EXPECT_TRUE(json["moves"].get<bool>());
}

TEST_F(CrossBoardTest, ASettingThatWasNotTimedOnABoardIsMarkedSo) {
  add(h100_, 16, 100);
  add(h200_, 32, 100);
  const auto found = all();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].boards[0].costs[1]);
  EXPECT_FALSE(found[0].compromise);
  EXPECT_TRUE(found[0].moves());
  EXPECT_FALSE(found[0].dearest());
  EXPECT_THAT(text_of(found),
              AllOf(HasSubstr("on NVIDIA H200: not timed there"), HasSubstr("no setting was timed on all boards")));
  EXPECT_TRUE(json_of(found[0])["boards"][0]["costs"]["NVIDIA H200"].is_null());
}

TEST_F(CrossBoardTest, TiedSettingsCountAsTheSameSettings) {
  add(h100_, 16, 100, 1);
  add(h200_, 16, 100.4, 2, true);
  add(h200_, 32, 100, 1, true);
  add(h100_, 32, 100.2, 2, true);
  ranked_[h100_][0].tied = true;
  const auto found = all();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(found[0].boards[0].costs[1]->tied);
  EXPECT_FALSE(found[0].moves());
  EXPECT_THAT(sentence_of(found), HasSubstr("the best configurations of each serve all its boards"));
}

TEST_F(CrossBoardTest, BoardsOfOtherArchitecturesCountAndAFilterSelects) {
  const Id turing = board("Tesla T4", "sm_75");
  for (const Id id : {h100_, h200_, turing}) add(id, 16, 100);
  ASSERT_THAT(all(), SizeIs(1));
  EXPECT_THAT(all()[0].boards, SizeIs(3));
  ASSERT_THAT(all({.arch = "sm_90"}), SizeIs(1));
  EXPECT_THAT(all({.arch = "sm_90"})[0].boards, SizeIs(2));
  EXPECT_THAT(all({.board = "T4"}), SizeIs(1));
  EXPECT_THAT(all({.board = "tesla t"}), SizeIs(1));
  EXPECT_THAT(all({.board = "A100"}), IsEmpty());
  EXPECT_THAT(all({.pattern = "reduce"}), IsEmpty());
}

TEST_F(CrossBoardTest, TimesOfDifferentModesAreNotCompared) {
  add(h100_, 16, 100);
  add(h200_, 32, 100);
  Trial warm = example_.measured(16, 50);
  warm.mode = "warm L2";
  warm.created_at = "2025-01-01T00:00:00.000Z";
  warm.config_key = "warm";
  store_.add_trial(warm);
  const auto found = all();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].boards[0].costs[1]);
}

}  // namespace
}  // namespace warpwright::db
