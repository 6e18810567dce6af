// Tests of the mutants bar.
#include "reports/charts/mutants_bar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MutantsBarChart, StacksTheirOutcomes) {
  const std::string html = mutants_bar({7478, 675, 32, 0});
  EXPECT_THAT(html, HasSubstr("<i class='killed' style='flex:7478'></i><i class='equivalent' style='flex:675'></i>"));
  EXPECT_THAT(html, HasSubstr("7,478 killed"));
  EXPECT_THAT(html, HasSubstr("32 not modelled, or not compiled"));
  EXPECT_THAT(html, Not(HasSubstr("survived")));
}

TEST(MutantsBarChart, WithoutMutantsItIsASentence) {
  EXPECT_THAT(mutants_bar({}), HasSubstr("No mutants were tried."));
}

}  // namespace
}  // namespace warpwright::reports::charts
