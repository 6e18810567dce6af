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

}  // namespace
}  // namespace warpwright::db
