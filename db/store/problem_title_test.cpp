// Tests of names of stored problems.
#include "db/store/problem_title.hpp"

#include <gmock/gmock.h>

#include "kernels/core/settings.hpp"

namespace warpwright::db {
namespace {

TEST(SettingsText, OfAProblemReadsBack) {
  const Problem problem{.variant = "op=sum", .numbers = "alpha=0.5,bins=256", .data = "zipf"};
  EXPECT_EQ(settings_text(problem), "op=sum,alpha=0.5,bins=256,data=zipf");
  EXPECT_EQ(parse_settings(settings_text(problem)).size(), 4U);
  EXPECT_EQ(settings_text(Problem{}), "data=uniform");
}

TEST(ProblemTitle, CanBeWithoutTheShapeOrTheData) {
  Problem problem{.pattern = "scan", .variant = "op=sum", .types = "float", .shape = "65536", .data = "zipf"};
  EXPECT_EQ(title_without_shape(problem), "scan float, op=sum, data=zipf");
  EXPECT_EQ(title_without_data(problem), "scan 2^16 float, op=sum");
  problem.title = "2^16 float, zipf";
  EXPECT_EQ(title_without_shape(problem), "scan float, zipf");
  EXPECT_EQ(title_without_data(problem), "scan 2^16 float");
  problem.data = "uniform";
  problem.title = "2^16 float";
  EXPECT_EQ(title_without_data(problem), "scan 2^16 float");
}

}  // namespace
}  // namespace warpwright::db
