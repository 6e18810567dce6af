// Tests of the tiers: which mutants a commit and a nightly run select.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/mutants/tiers.hpp"

namespace warpwright::conformance {
namespace {

/// Kernels that have only names.
const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> list = [] {
    std::vector<Kernel> made(2);
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i].pattern = "shop";
      made[i].name = i == 0 ? "paint" : "glue";
      made[i].source = "shop/" + made[i].name + ".cuh";
    }
    return made;
  }();
  return list;
}

/// For each kernel: ten mutants of the family "bounds", two of them in its own file; one of "order"; and one of
/// "stores" that is equivalent.
std::vector<Mutant> many() {
  std::vector<Mutant> list;
  const auto add = [&](const Kernel& kernel, const std::string& family, const std::string& file, int line,
                       const std::string& equivalent) {
    list.push_back({.kernel = &kernel,
                    .mutation = {.rule = "rule of " + family,
                                 .family = family,
                                 .file = file,
                                 .line = line,
                                 .change = "a -> b",
                                 .text = {},
                                 .equivalent = equivalent}});
  };
  for (const Kernel& kernel : kernels()) {
    for (int line = 1; line <= 8; ++line) add(kernel, "bounds", "shop/shared.cuh", line, "");
    for (int line = 1; line <= 2; ++line) add(kernel, "bounds", kernel.source, line, "");
    add(kernel, "order", "shop/shared.cuh", 1, "");
    add(kernel, "stores", kernel.source, 1, "so it is");
  }
  return list;
}

std::string text_of(const Mutant& mutant) {
  return mutant.kernel->name + " " + mutant.mutation.family + " " + mutant.mutation.file + " " +
         std::to_string(mutant.mutation.line);
}

db::Mutant row(const Mutant& mutant, const std::string& outcome, const std::string& when) {
  return {.kernel = mutant.kernel->full_name(),
          .rule = mutant.mutation.rule,
          .file = mutant.mutation.file,
          .line = mutant.mutation.line,
          .change = mutant.mutation.change,
          .tool = host_target(),
          .outcome = outcome,
          .updated_at = when};
}

TEST(Tiers, HaveNames) {
  EXPECT_EQ(mutant_tier_named("commit"), MutantTier::commit);
  EXPECT_EQ(mutant_tier_named("nightly"), MutantTier::nightly);
  EXPECT_EQ(mutant_tier_named("all"), MutantTier::all);
  EXPECT_THROW((void)mutant_tier_named("weekly"), std::invalid_argument);
}

TEST(CommitTier, TakesOneOfEachOfAFewFamiliesOfEveryKernelPreferringTheKernelsOwnFile) {
  const auto families = mutant_families(many());
  ASSERT_EQ(families.size(), 4U);
  std::set<std::string> seen;
  for (const auto& family : families) {
    EXPECT_TRUE(seen.insert(family[0].kernel->name + family[0].mutation.family).second);
    for (const Mutant& mutant : family) {
      EXPECT_EQ(mutant.mutation.equivalent, "");
      EXPECT_EQ(mutant.mutation.family, family[0].mutation.family);
      EXPECT_EQ(mutant.kernel, family[0].kernel);
    }
    if (family[0].mutation.family != "bounds") continue;
    ASSERT_EQ(family.size(), 10U);
    EXPECT_EQ(family[0].mutation.file, family[0].kernel->source);
    EXPECT_EQ(family[1].mutation.file, family[0].kernel->source);
    EXPECT_EQ(family[2].mutation.file, "shop/shared.cuh");
  }
}

TEST(CommitTier, CoversEveryFamilyInTheCatalogueWithFewPerKernel) {
  std::vector<const Kernel*> kernels;
  for (const Kernel& kernel : catalogue().kernels()) kernels.push_back(&kernel);
  const auto all = mutants_of(catalogue(), kernels);
  std::map<std::string, int> every, chosen, of_kernel;
  for (const Mutant& mutant : all) ++every[mutant.mutation.family];
  for (const auto& family : mutant_families(all)) {
    ++chosen[family.front().mutation.family];
    ++of_kernel[family.front().kernel->full_name()];
  }
  for (const auto& [kernel, count] : of_kernel) EXPECT_LE(count, static_cast<int>(kFamiliesOfKernel)) << kernel;
  for (const auto& [family, count] : every) EXPECT_GE(chosen[family], 5) << family << " of " << count;
}

TEST(CommitTier, KeepsItsSelectionWhenMutantsAreAddedAndLinesMove) {
  std::vector<Mutant> before;
  for (int line = 1; line <= 9; ++line) {
    before.push_back(many().front());
    before.back().mutation.line = line;
    before.back().mutation.change = "a -> b" + std::to_string(line);
  }
  const std::string choice = mutant_families(before)[0][0].mutation.change;
  for (std::size_t removed = 0; removed < before.size(); ++removed) {
    std::vector<Mutant> after = before;
    after.erase(after.begin() + static_cast<std::ptrdiff_t>(removed));
    for (Mutant& mutant : after) mutant.mutation.line += 40;
    const std::string now = mutant_families(after)[0][0].mutation.change;
    EXPECT_EQ(now == choice, before[removed].mutation.change != choice);
  }
}

TEST(NightlyTier, CoversEveryMutantInTheGivenNumberOfNightsDeterministically) {
  const auto all = many();
  constexpr std::size_t kNights = 5;
  std::vector<db::Mutant> known;
  std::set<std::string> seen;
  for (std::size_t night = 0; night < kNights; ++night) {
    const Night tonight = mutants_of_night(all, known, host_target(), kNights);
    EXPECT_LE(tonight.mutants.size(), (all.size() + kNights - 1) / kNights);
    const Night again = mutants_of_night(all, known, host_target(), kNights);
    EXPECT_TRUE(std::ranges::equal(tonight.mutants, again.mutants, {}, text_of, text_of));
    for (const Mutant& mutant : tonight.mutants) {
      seen.insert(text_of(mutant));
      std::erase_if(known, [&](const db::Mutant& old) {
        return row(mutant, "", "").kernel == old.kernel && old.rule == mutant.mutation.rule &&
               old.file == mutant.mutation.file && old.line == mutant.mutation.line;
      });
      known.push_back(row(mutant, "killed", "2026-01-0" + std::to_string(night + 1)));
    }
    EXPECT_EQ(tonight.seen + static_cast<std::size_t>(std::ranges::count(tonight.is_new, true)), seen.size());
  }
  EXPECT_EQ(seen.size(), all.size());
}

TEST(NightlyTier, BeginsWithMutantsThatNeverRanThenTakesTheOldest) {
  const auto all = many();
  std::vector<db::Mutant> known;
  for (std::size_t i = 0; i < all.size(); ++i)
    known.push_back(row(all[i], "killed", i == 7 ? "2026-01-01" : "2026-01-02"));
  EXPECT_EQ(text_of(mutants_of_night(all, known, host_target(), all.size()).mutants.at(0)), text_of(all[7]));
  known.erase(known.begin() + 3);
  EXPECT_EQ(text_of(mutants_of_night(all, known, host_target(), all.size()).mutants.at(0)), text_of(all[3]));
}

TEST(NightlyTier, RunsSurvivorsInAdditionToItsShareAndIgnoresOtherTools) {
  const auto all = many();
  std::vector<db::Mutant> known{row(all[2], "survived", "2026-01-09"), row(all[5], "killed", "2026-01-09")};
  const Night night = mutants_of_night(all, known, host_target(), all.size());
  ASSERT_EQ(night.mutants.size(), 2U);
  EXPECT_EQ(text_of(night.mutants[0]), text_of(all[2]));
  EXPECT_EQ(night.seen, 2U);
  EXPECT_EQ(night.is_new, (std::vector<bool>{false, true}));
  for (db::Mutant& one : known) one.tool = "another";
  EXPECT_EQ(mutants_of_night(all, known, host_target(), all.size()).seen, 0U);
}

TEST(NightlyTier, ContinuesWhereANightEndedEarly) {
  // Each night has time for three mutants, whatever its share is.
  const auto all = many();
  std::vector<db::Mutant> known;
  std::set<std::string> seen;
  constexpr std::size_t kTime = 3;
  for (std::size_t night = 0; night < all.size() / kTime + 1; ++night) {
    const Night tonight = mutants_of_night(all, known, host_target(), 2);
    ASSERT_GE(tonight.mutants.size(), kTime);
    for (std::size_t i = 0; i < kTime; ++i) {
      seen.insert(text_of(tonight.mutants[i]));
      const db::Mutant now = row(tonight.mutants[i], "killed", "2026-01-" + std::to_string(night + 10));
      std::erase_if(known, [&](const db::Mutant& old) {
        return now.kernel == old.kernel && now.rule == old.rule && now.file == old.file && now.line == old.line;
      });
      known.push_back(now);
    }
  }
  EXPECT_EQ(seen.size(), all.size());
}

TEST(Sample, IsSpreadOverKernelsAndRulesWithoutEquivalentMutants) {
  const auto sample = sample_mutants(many(), 5);
  ASSERT_EQ(sample.size(), 5U);
  std::set<std::string> seen;
  for (const Mutant& mutant : sample) {
    seen.insert(mutant.kernel->name + mutant.mutation.rule);
    EXPECT_EQ(mutant.mutation.equivalent, "");
  }
  EXPECT_EQ(seen.size(), 4U);
  EXPECT_EQ(sample_mutants(many(), 1000).size(), 22U);
}

}  // namespace
}  // namespace warpwright::conformance
