// Tests of what changed since the newest session of a problem on its board.
#include "reports/drift.hpp"

#include <gmock/gmock.h>

#include "reports/model_fixture.hpp"

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

using DriftTest = ModelTest;

TEST_F(DriftTest, AFailureOfABoardIsNewWhileAnotherBoardRuns) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  add(rows, 32, 10);
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 32, 10, "failed");
  rows.board("NVIDIA H100", "sm_90", 132, 3352);
  rows.session("2026-11-21T10:00:00.000Z", 40);
  add(rows, 32, 12);
  const std::vector<NewFailure> found = new_failures(read_report(store_));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].what, HasSubstr("(NVIDIA H200, measured): failed"));
}

TEST_F(DriftTest, ASessionWithoutTheBestSaysSo) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  rows.certify(add(rows, 32, 10));
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 64, 10.17);
  EXPECT_THAT(page("sm_90.html"), AllOf(HasSubstr(">best not measured again</small>"), HasSubstr("+1.7 %"),
                                        Not(HasSubstr("<span class=soft>+1.7 %"))));
}

}  // namespace
}  // namespace warpwright::reports
