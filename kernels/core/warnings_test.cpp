// Tests of warnings: joined to one text, and read from it with their kinds.
#include "kernels/core/warnings.hpp"

#include <gmock/gmock.h>

namespace warpwright {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Warnings, AreReadWithTheirKindsFromTheTextThatTheyWereJoinedTo) {
  const Warning by_job = untimed_warning(Warning::Kind::untimed_by_job, "constant weights");
  const Warning by_pattern = untimed_warning(Warning::Kind::untimed_by_pattern, "memset overflow, launch fill");
  EXPECT_EQ(by_job.text, "not in the time: constant weights");
  EXPECT_EQ(by_pattern.text, "not in the time, as for each kernel of its pattern: memset overflow, launch fill");
  const Warning other{.text = "3 samples at a reduced clock"};
  const std::string stored = stored_text({other, by_pattern, by_job});
  EXPECT_EQ(stored, other.text + "; " + by_pattern.text + "; " + by_job.text);
  EXPECT_THAT(parse_warnings(stored), ElementsAre(other, by_pattern, by_job));
}

TEST(Warnings, AnEmptyOneAddsNothing) {
  std::string stored;
  add_warning(stored, "");
  EXPECT_THAT(parse_warnings(stored), IsEmpty());
  add_warning(stored, "one");
  add_warning(stored, "");
  EXPECT_EQ(stored, "one");
}

}  // namespace
}  // namespace warpwright
