// Tests of the table of boards: their known peaks, and looking up boards and architectures by name.
#include "kernels/core/boards.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/core/error_of.hpp"
#include "kernels/core/target.hpp"

namespace warpwright {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Boards, every_board_is_complete_sourced_and_named_once) {
  std::set<std::string> names;
  for (const Board& board : boards()) {
    const Device& device = board.device;
    EXPECT_TRUE(names.insert(device.model).second) << device.model;
    EXPECT_GT(device.sm_count, 0) << device.model;
    EXPECT_GT(device.sm_clock_mhz, 900) << device.model;
    EXPECT_GT(device.memory_bandwidth_gbs, 100) << device.model;
    EXPECT_GT(device.l2_bytes, 0) << device.model;
    EXPECT_GT(device.memory_bytes, device.l2_bytes) << device.model;
    EXPECT_FALSE(board.source.empty()) << device.model;
  }
}

TEST(Boards, peaks_agree_with_the_published_rates) {
  struct Peak {
    const char* name;
    double tflops;
  };
  const Peak peaks[] = {{"Tesla T4", 8.1},
                        {"GeForce RTX 2080 Ti", 13.4},
                        {"A100-SXM4-80GB", 19.5},
                        {"RTX A6000", 38.7},
                        {"GeForce RTX 4090", 82.6},
                        {"L4", 30.3},
                        {"L40S", 91.6},
                        {"H100 SXM", 67},
                        {"H200", 67},
                        {"H100 PCIe", 51},
                        {"GeForce RTX 5090", 104.8},
                        {"RTX PRO 6000 Blackwell", 125},
                        {"B300", 75},
                        {"Jetson AGX Orin 64GB", 5.3},
                        {"GeForce RTX 3090", 35.6}};
  for (const Peak& peak : peaks) {
    const Device& device = find_board(peak.name).device;
    const double tflops = 2e-6 * device.fp32_lanes_per_sm * device.sm_count * device.sm_clock_mhz;
    EXPECT_NEAR(tflops, peak.tflops, 0.015 * peak.tflops) << peak.name;
  }
}

TEST(Boards, every_architecture_that_the_compiler_supports_has_a_default_board) {
  EXPECT_THAT(supported_architectures(), testing::ElementsAre(75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121));
  for (const int cc : supported_architectures()) EXPECT_EQ(default_board(cc).device.compute_capability, cc);
  EXPECT_EQ(default_board(75).device.model, "Tesla T4");
  EXPECT_THAT(error_of([] { default_board(70); }), HasSubstr("sm_75, sm_80"));
}

TEST(Boards, are_found_by_name_without_case_or_vendor_and_by_a_unique_part) {
  EXPECT_EQ(find_board("geforce rtx 2070").device.model, "GeForce RTX 2070");
  EXPECT_EQ(find_board("NVIDIA GeForce RTX 2080 Ti").device.sm_count, 68);
  EXPECT_EQ(find_board("2080 ti").device.model, "GeForce RTX 2080 Ti");
  EXPECT_EQ(find_board("RTX 2070").device.model, "GeForce RTX 2070") << "not the SUPER";
  EXPECT_EQ(find_board("nvidia rtx 2080 super").device.model, "GeForce RTX 2080 SUPER");
  EXPECT_EQ(find_board("titan").device.model, "TITAN RTX");
  EXPECT_EQ(find_board("h200").device.model, "H200") << "a whole name wins over GH200";
}

TEST(Boards, are_nearer_the_more_alike_their_bandwidths_are_but_never_as_near_as_the_same_one) {
  EXPECT_EQ(distance_in_bandwidth(20, 20), 1);
  EXPECT_EQ(distance_in_bandwidth(20, 80), 3);
  EXPECT_EQ(distance_in_bandwidth(80, 20), 3);
  EXPECT_EQ(distance_in_bandwidth(20, std::nullopt), distance_in_bandwidth(std::nullopt, 20));
  EXPECT_GT(distance_in_bandwidth(std::nullopt, 20), distance_in_bandwidth(1, 1e9));
}

TEST(Boards, an_ambiguous_name_lists_its_matches_and_an_unknown_one_the_boards) {
  EXPECT_THAT(error_of([] { find_board("2080"); }),
              AllOf(HasSubstr("GeForce RTX 2080, GeForce RTX 2080 SUPER, GeForce RTX 2080 Ti")));
  EXPECT_THAT(error_of([] { find_board("Radeon"); }), AllOf(HasSubstr("Radeon"), HasSubstr("Tesla T4")));
  EXPECT_THAT(error_of([] { find_board("H200", 75); }), AllOf(HasSubstr("Tesla T4"), testing::Not(HasSubstr("H100"))));
  EXPECT_THAT(error_of([] { find_board(""); }), HasSubstr("no board"));
}

}  // namespace
}  // namespace warpwright
