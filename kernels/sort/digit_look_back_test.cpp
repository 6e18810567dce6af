// Tests of look-back for one digit: sums over tiles that publish only their own counts, repeated on the same words.
#include <gtest/gtest.h>

#include <utility>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

/// Tile t is thread t of one block; there are two digits. The first `known` tiles look back before the others, which
/// then find only counts of single tiles in front of them.
constexpr const char* kText = R"(
template <class Word, int Window>
__global__ void before_each(const Word* counts, Word* before, Word* descriptors, int known,
                            int pass) {
  const int tile = threadIdx.x;
  warpwright::sort::digit_link<Window, Word> links[2];
  for (int digit = 0; digit < 2; ++digit)
    links[digit].publish(descriptors + digit, 2, tile, counts[2 * tile + digit], pass);
  __syncthreads();
  if (tile < known)
    for (int digit = 0; digit < 2; ++digit) before[2 * tile + digit] = links[digit].look_back();
  __syncthreads();
  if (tile >= known)
    for (int digit = 0; digit < 2; ++digit) before[2 * tile + digit] = links[digit].look_back();
}
)";

constexpr int kTiles = 24;

template <class Word>
std::vector<Word> counts() {
  std::vector<Word> made(2 * kTiles);
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<Word>((i * 7919 + 13) % 101 << 4 * sizeof(Word));
  return made;
}

template <class Word>
std::vector<Word> before_each() {
  const std::vector<Word> of = counts<Word>();
  std::vector<Word> before(of.size());
  for (std::size_t i = 2; i < of.size(); ++i) before[i] = static_cast<Word>(before[i - 2] + of[i - 2]);
  return before;
}

/// The prefixes that tiles find in the last of `passes` runs on the same descriptors.
template <class Word>
std::pair<bool, std::vector<Word>> found(const std::string& entry, ElementType type, int known, int passes) {
  Plan plan{.buffers = {{.name = "counts", .role = Role::in, .type = type, .count = 2 * kTiles},
                        {.name = "before", .role = Role::out, .type = type, .count = 2 * kTiles},
                        {.name = "descriptors", .role = Role::inout, .type = type, .count = 2 * kTiles}},
            .steps = {}};
  for (int pass = 0; pass < passes; ++pass)
    plan.steps.push_back({.what = Launch{.entry = entry,
                                         .grid = {.x = 1},
                                         .block = {.x = kTiles},
                                         .arguments = {pointer_to("counts"), pointer_to("before"),
                                                       pointer_to("descriptors"), value(known), value(pass)}}});
  simulator::SimulationOptions options;
  options.schedule.seed = static_cast<std::uint64_t>(passes);
  const auto [execution, buffers] =
      simulator::run_plan(plan, "kernels/sort/digit_look_back.cuh",
                          {simulator::bytes_of(counts<Word>()), simulator::bytes_of(counts<Word>()),
                           simulator::bytes_of(std::vector<Word>(2 * kTiles))},
                          options, kText);
  return {execution.clean(), simulator::values_of<Word>(buffers.at("before"))};
}

TEST(DigitLookBack, CountsOfSingleTilesAreSummedUpToThoseOfAll) {
  for (const int known : {1, 5, kTiles - 1})
    for (const int passes : {1, 2, 3, 5}) {
      for (const int window : {1, 4}) {
        const auto [is_clean, before] =
            found<unsigned>(fmt::format("before_each<unsigned, {}>", window), ElementType::u32, known, passes);
        EXPECT_TRUE(is_clean);
        EXPECT_EQ(before, before_each<unsigned>()) << window << " " << known << " " << passes;
      }
      const auto [is_clean, before] =
          found<std::uint64_t>("before_each<unsigned long long, 2>", ElementType::u64, known, passes);
      EXPECT_TRUE(is_clean);
      EXPECT_EQ(before, before_each<std::uint64_t>()) << known << " " << passes;
    }
}

}  // namespace
}  // namespace warpwright
