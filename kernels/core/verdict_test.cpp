// Tests of the words of verdicts and findings: each has a word of its own, from which it can be found again.
#include "kernels/core/verdict.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace warpwright {
namespace {

TEST(Verdict, words_lead_back_and_differ) {
  std::set<std::string_view> words;
  for (const Verdict verdict : all_verdicts()) {
    EXPECT_EQ(verdict_of(word_of(verdict)), verdict);
    EXPECT_TRUE(words.insert(word_of(verdict)).second) << word_of(verdict);
    EXPECT_EQ(nlohmann::json(verdict), word_of(verdict));
    EXPECT_EQ(nlohmann::json(word_of(verdict)).get<Verdict>(), verdict);
  }
  EXPECT_EQ(words.size(), 13U);
}

TEST(Verdict, words_are_those_that_people_read) {
  EXPECT_EQ(word_of(Verdict::passed), "passed");
  EXPECT_EQ(word_of(Verdict::not_compiled), "not compiled");
  EXPECT_EQ(word_of(Verdict::timed_out), "timed out");
  EXPECT_EQ(word_of(Verdict::not_run), "not run");
  EXPECT_THROW(verdict_of("fine"), std::invalid_argument);
  EXPECT_THROW(nlohmann::json("fine").get<Verdict>(), std::invalid_argument);
}

TEST(Verdict, wrong_verdicts_are_those_that_a_kernel_causes) {
  std::set<std::string_view> wrong;
  for (const Verdict verdict : all_verdicts()) {
    if (is_wrong(verdict)) wrong.insert(word_of(verdict));
    EXPECT_FALSE(is_wrong(verdict) && is_refused(verdict));
  }
  EXPECT_EQ(wrong, (std::set<std::string_view>{"failed", "crashed", "timed out", "not compiled"}));
}

TEST(FindingKind, words_lead_back_and_differ) {
  std::set<std::string_view> words;
  for (const FindingKind kind : all_finding_kinds()) {
    EXPECT_EQ(finding_kind_of(word_of(kind)), kind);
    EXPECT_TRUE(words.insert(word_of(kind)).second) << word_of(kind);
    EXPECT_EQ(nlohmann::json(kind).get<FindingKind>(), kind);
    EXPECT_NE(verdict_of(kind), Verdict::passed);
  }
  EXPECT_EQ(word_of(FindingKind::scratch_not_restored), "scratch not restored");
  EXPECT_THROW(finding_kind_of("nothing"), std::invalid_argument);
}

TEST(FindingKind, gives_the_verdict_that_a_device_would_give) {
  EXPECT_EQ(verdict_of(FindingKind::hang), Verdict::timed_out);
  EXPECT_EQ(verdict_of(FindingKind::illegal_launch), Verdict::not_launchable);
  EXPECT_EQ(verdict_of(FindingKind::no_model), Verdict::not_modelled);
  EXPECT_EQ(verdict_of(FindingKind::wrong_arguments), Verdict::not_compiled);
  EXPECT_EQ(verdict_of(FindingKind::race), Verdict::failed);
}

}  // namespace
}  // namespace warpwright
