// Tests of the result chart.
#include "reports/charts/result_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

// The axis has a margin of 8 % of its span on both sides: the ends are at 6.9 % and 93.1 %.
ResultChart four_rows() {
  return {{{.whose = Whose::ceiling, .name = "ceiling: a copy", .us = 25, .ratio = 0.5},
           {.whose = Whose::ours, .name = "ours, stream", .us = 50, .ratio = 1},
           {.whose = Whose::vendor,
            .name = "CUB",
            .us = 100,
            .interval_us = Interval{90, 110},
            .ratio = 2,
            .ratio_interval = Interval{1.8, 2.2}},
           {.whose = Whose::kokkos_tuned, .name = "Kokkos", .us = 400, .ratio = 8}}};
}

TEST(ResultChartTable, MarksAreAtTheirTimesOnOneLogarithmicAxis) {
  const std::string html = result_chart(four_rows());
  EXPECT_THAT(html, HasSubstr("<use href='#m-ours' x='28.45%' y='50%'/>"));
  EXPECT_THAT(html, HasSubstr("<use href='#m-vendor' x='50%' y='50%'/>"));
  EXPECT_THAT(html, HasSubstr("<use href='#m-tuned' x='93.1%' y='50%'/>"));
}

TEST(ResultChartTable, TheRangeBeyondTheCeilingIsHatchedInEveryRow) {
  const std::string html = result_chart(four_rows());
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = html.find("<rect class='beyond' width='6.9%'", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, 4U);
}

TEST(ResultChartTable, AnIntervalIsDrawnOnlyIfItIsKnown) {
  const std::string html = result_chart(four_rows());
  std::size_t parts = 0;
  for (std::size_t at = 0; (at = html.find("class='interval'", at)) != std::string::npos; ++at) ++parts;
  EXPECT_EQ(parts, 3U);  // for one row: the line and its ends
  EXPECT_THAT(html, HasSubstr("2.000 <small>[1.800, 2.200]</small>"));
  EXPECT_THAT(html, HasSubstr("<td class='n'>~8.000</td>")) << "not measured in alternating rounds";
}

TEST(ResultChartTable, ARowWithoutATimeSaysWhy) {
  ResultChart chart = four_rows();
  chart.rows.push_back({.whose = Whose::vendor, .name = "cuFFT <x>", .why = "not built"});
  const std::string html = result_chart(chart);
  EXPECT_THAT(html, HasSubstr("<th scope='row' title='cuFFT &lt;x&gt;'>cuFFT &lt;x&gt;</th>"));
  EXPECT_THAT(html, HasSubstr("<td class='n why' colspan='2'>not built</td>"));
}

TEST(ResultChartTable, APredictedTimeHasAHollowMark) {
  const std::string html = result_chart({{{.name = "ours", .us = 5}}, true});
  EXPECT_THAT(html, HasSubstr("#m-guess"));
  EXPECT_THAT(html, Not(HasSubstr("#m-ours")));
}

}  // namespace
}  // namespace warpwright::reports::charts
