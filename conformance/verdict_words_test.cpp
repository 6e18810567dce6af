// The database may not include the model, so its words of verdicts are compared with the model's here.
#include <gmock/gmock.h>

#include <vector>

#include "db/verdicts.hpp"
#include "kernels/model/verdict.hpp"

namespace warpwright::conformance {
namespace {

TEST(VerdictWords, the_database_has_those_of_the_model) {
  std::vector<std::string_view> words;
  for (const Verdict verdict : all_verdicts()) words.push_back(word_of(verdict));
  const auto stored = db::verdicts();
  EXPECT_THAT(std::vector<std::string_view>(stored.begin(), stored.end()), testing::ElementsAreArray(words));
}

TEST(VerdictWords, the_database_blames_the_kernels_that_the_model_blames) {
  for (const Verdict verdict : all_verdicts())
    EXPECT_EQ(db::is_wrong(word_of(verdict)), is_wrong(verdict)) << word_of(verdict);
}

}  // namespace
}  // namespace warpwright::conformance
