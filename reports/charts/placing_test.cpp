// Tests of the placement of labels.
#include "reports/charts/placing.hpp"

#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using Form = Placed::Form;

TEST(PlacingLabels, ALoneDotHasItsLabelAtTheRight) {
  const auto placed = place_labels({{50, 50, 10}});
  EXPECT_EQ(placed[0].form, Form::full);
  EXPECT_EQ(placed[0].side, Side::right);
}

TEST(PlacingLabels, ADotAtTheRightEdgeHasItsLabelAtTheLeft) {
  EXPECT_EQ(place_labels({{98, 50, 10}})[0].side, Side::left);
}

TEST(PlacingLabels, LabelsOfNeighboursDoNotOverlap) {
  const auto placed = place_labels({{50, 50, 10}, {54, 50, 10}});
  EXPECT_EQ(placed[0].side, Side::left);
  EXPECT_EQ(placed[1].side, Side::right);
}

TEST(PlacingLabels, TakenPartsStayFreeOfLabels) {
  EXPECT_EQ(place_labels({{50, 50, 10}}, {{51, 45, 70, 55}})[0].side, Side::left);
}

TEST(PlacingLabels, ALabelThatFitsNowhereIsCutToItsRankOrLeftOut) {
  EXPECT_EQ(place_labels({{50, 50, 200, 2}})[0].form, Form::rank);
  EXPECT_EQ(place_labels({{50, 50, 200, 2}}, {{0, 0, 100, 100}})[0].form, Form::none);
}

}  // namespace
}  // namespace warpwright::reports::charts
