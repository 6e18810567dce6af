// Tests of several boards of one architecture in the model.
#include <gmock/gmock.h>

#include "reports/model_fixture.hpp"

namespace warpwright::reports {
namespace {

using testing::SizeIs;

TEST_F(ModelTest, ABoardThatIsOnlyPredictedHasItsBestBesideAMeasuredOne) {
  Rows rows = in_a_session();
  reduce(rows, "1024", "sequential", 64, 10);
  rows.board("NVIDIA H100 PCIe", "sm_90", 114, 2039);
  reduce(rows, "1024", "sequential", 64, 20, false);
  const Report report = read_report(store_);
  const Architecture& architecture = named(report, "sm_90");
  ASSERT_THAT(architecture.problems, SizeIs(2));
  for (const ProblemResults& results : architecture.problems) {
    ASSERT_TRUE(results.best) << results.board.model;
    EXPECT_EQ(results.best->winner.trial.provenance, results.provenance);
    EXPECT_THAT(results.kernel_bests, SizeIs(1));
  }
}

TEST_F(ModelTest, ABoardPredictedByItsShortNameIsTheMeasuredOne) {
  Rows rows = in_a_session();
  rows.board("RTX 2070", "sm_75", 36, 448);
  reduce(rows, "1024", "sequential", 64, 10, false);
  rows.board("NVIDIA GeForce RTX 2070", "sm_75", 36, 448);
  reduce(rows, "1024", "sequential", 64, 11);
  const Report report = read_report(store_);
  const Architecture& architecture = named(report, "sm_75");
  ASSERT_THAT(architecture.problems, SizeIs(1));
  const ProblemResults& results = architecture.problems.front();
  EXPECT_TRUE(results.measured());
  ASSERT_TRUE(results.model);
  EXPECT_THAT(results.model->times, SizeIs(1));
}

}  // namespace
}  // namespace warpwright::reports
