// Tests that shards are disjoint, complete and of similar size, and hardly change if pieces are added or removed.
#include "kernels/model/shard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "kernels/core/error_of.hpp"

namespace warpwright {
namespace {

using testing::HasSubstr;

std::string key(int i) {
  return "pattern/kernel_" + std::to_string(i);
}

std::vector<Piece> pieces(int count) {
  std::vector<Piece> all;
  for (int i = 0; i < count; ++i) all.push_back({.key = key(i)});
  return all;
}

double heaviest_of(const std::vector<Piece>& all, const std::vector<int>& shards, int of) {
  std::vector<double> loads(static_cast<std::size_t>(of) + 1, 0.0);
  for (std::size_t i = 0; i < all.size(); ++i) loads[static_cast<std::size_t>(shards[i])] += all[i].weight;
  return std::ranges::max(loads);
}

TEST(Shards, AreParsedAndPrinted) {
  EXPECT_EQ(parse_shard("3/16"), (Shard{.number = 3, .of = 16}));
  EXPECT_EQ(shard_text(parse_shard("16/16")), "16/16");
  EXPECT_TRUE(parse_shard("1/1").is_all());
  for (const char* wrong : {"", "3", "/", "3/", "/16", "3/16x", "x3/16", "3 / 16", "3/1 6", "99999999999/3"})
    EXPECT_THAT(error_of([&] { (void)parse_shard(wrong); }), HasSubstr("is no shard: write 3/16")) << wrong;
  EXPECT_THAT(error_of([] { (void)parse_shard("17/16"); }), HasSubstr("they are 1/16 to 16/16"));
  for (const char* wrong : {"0/16", "-1/16"})
    EXPECT_THAT(error_of([&] { (void)parse_shard(wrong); }), HasSubstr("is none of 16 shards")) << wrong;
  for (const char* wrong : {"0/0", "1/0", "1/-4", "1/10001"})
    EXPECT_THAT(error_of([&] { (void)parse_shard(wrong); }), HasSubstr("from 1 to 10000")) << wrong;
}

TEST(Shards, OfAKeyAreTheSameForever) {
  // Later programs must be able to continue the databases of a fleet.
  EXPECT_EQ(shard_of("reduce/grid_stride {.block_size = 256}", 16), 12);
  EXPECT_EQ(shard_of("matmul/tiled {.tile_dim = 16}", 16), 15);
  EXPECT_EQ(spread_pieces(pieces(6), 3), (std::vector<int>{2, 2, 1, 3, 3, 1}));
}

RC_GTEST_PROP(Shards, OfSmallPiecesChangeOnlyToANewShard, ()) {
  const auto text = *rc::gen::arbitrary<std::string>();
  const int shards = *rc::gen::inRange(1, 2000);
  const int before = shard_of(text, shards), after = shard_of(text, shards + 1);
  RC_ASSERT(before >= 1 && before <= shards);
  RC_ASSERT(after == before || after == shards + 1);
}

TEST(Shards, OfManySmallPiecesAreOfSimilarSize) {
  constexpr int kPieces = 80'000, kShards = 16;
  std::vector<int> counts(kShards, 0);
  for (int i = 0; i < kPieces; ++i) ++counts[static_cast<std::size_t>(shard_of(key(i), kShards) - 1)];
  EXPECT_GT(std::ranges::min(counts), kPieces / kShards * 95 / 100);
  EXPECT_LT(std::ranges::max(counts), kPieces / kShards * 105 / 100);
}

RC_GTEST_PROP(Shards, OfLargePiecesAreThoseOfTheirKeysAndBounded, ()) {
  const auto weights = *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1000));
  const int shards = *rc::gen::inRange(1, 40);
  std::vector<Piece> all = pieces(static_cast<int>(weights.size()));
  double sum = 0, heaviest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].weight = weights[i];
    sum += weights[i];
    heaviest = std::max<double>(heaviest, weights[i]);
  }
  const auto first = spread_pieces(all, shards);
  RC_ASSERT(first.size() == all.size());
  for (const int one : first) RC_ASSERT(one >= 1 && one <= shards);
  // A piece that fits nowhere goes to the shard with the least weight.
  RC_ASSERT(heaviest_of(all, first, shards) <= std::max(1.25 * sum / shards, heaviest + sum / shards));
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t by = all.empty() ? 0 : *rc::gen::inRange<std::size_t>(0, all.size());
  std::ranges::rotate(order, order.begin() + static_cast<std::ptrdiff_t>(by));
  std::vector<Piece> turned;
  for (const std::size_t i : order) turned.push_back(all[i]);
  const auto second = spread_pieces(turned, shards);
  for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(second[i] == first[order[i]]);
}

TEST(Shards, ANewPieceMovesFewOthers) {
  constexpr int kKernels = 90, kShards = 16;
  const auto before = spread_pieces(pieces(kKernels), kShards);
  const auto after = spread_pieces(pieces(kKernels + 1), kShards);
  int moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) moved += before[i] != after[i] ? 1 : 0;
  EXPECT_LE(moved, kKernels / 10);
  EXPECT_LE(heaviest_of(pieces(kKernels), before, kShards), 8);
}

}  // namespace
}  // namespace warpwright
