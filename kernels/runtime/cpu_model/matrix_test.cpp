// Tests of loads of matrices and of products by a warp: which lane gets what, and what is a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// The body over int buffers of a kernel whose shared array `tile` has row r of matrix i in its words 4 (8 i + r) and
/// the three behind it.
Experiment over_tile(const std::string& body, Dim3 block = {32}) {
  return over_buffers(R"(alignas(16) __shared__ unsigned tile[128];
const int t = threadIdx.x;
for (int i = t; i < 128; i += blockDim.x) tile[i] = 2 * i | (2 * i + 1) << 16;
__syncthreads();
)" + body,
                      {1}, block);
}

Experiment with_matrix_header(Experiment experiment) {
  experiment.text = "#include \"kernels/runtime/matrix.cuh\"\n" + experiment.text;
  return experiment;
}

/// Element `column` of row `row` of matrix `matrix`.
unsigned element(unsigned matrix, unsigned row, unsigned column) {
  return 8 * (8 * matrix + row) + column;
}

TEST(LoadsOfMatrices, give_each_lane_two_neighbours_of_a_row_or_of_a_column) {
  for (const bool is_transposed : {false, true})
    for (const unsigned count : {1U, 2U, 4U}) {
      const std::string suffix = is_transposed ? "_transposed" : "";
      Experiment experiment = with_matrix_header(over_tile(
          "unsigned to[" + std::to_string(count) + "];\nwarpwright::load_matrices" + suffix +
          "(to, tile + 4 * t);\nfor (int i = 0; i < " + std::to_string(count) + "; ++i) b[4 * t + i] = to[i];"));
      ASSERT_EQ(summary_of(experiment.run(3)), "");
      const auto got = values_of<unsigned>(experiment.contents[1]);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < count; ++i) {
          const unsigned across = lane / 4, along = 2 * (lane % 4);
          const unsigned first = is_transposed ? element(i, along, across) : element(i, across, along);
          const unsigned second = is_transposed ? element(i, along + 1, across) : element(i, across, along + 1);
          EXPECT_EQ(got[4 * lane + i], first | second << 16) << lane << " " << i << suffix;
        }
    }
}

Finding found_in(const std::string& body, FindingKind kind, Dim3 block = {32}) {
  return expect_finding(with_matrix_header(over_tile(body, block)), kind);
}

TEST(LoadsOfMatrices, check_each_row) {
  const auto message = [](const std::string& address, FindingKind kind) {
    return found_in("unsigned to[4];\nwarpwright::load_matrices(to, " + address + ");  // HERE\nb[t] = to[0];", kind)
        .message;
  };
  EXPECT_THAT(message("tile + 4 * (t % 16) + 2", FindingKind::misaligned),
              HasSubstr("load of 16 bytes at byte 8 of shared array 'tile'"));
  EXPECT_THAT(message("tile + 4 * t + 4", FindingKind::out_of_bounds),
              HasSubstr("load of 16 bytes 0 bytes past the end of shared array 'tile'"));
  EXPECT_THAT(message("a + 4 * t", FindingKind::out_of_bounds), HasSubstr("load of 16 bytes at byte 0 of buffer 'a'"));
}

TEST(LoadsOfMatrices, read_no_rows_of_lanes_behind_those_of_the_matrices) {
  expect_silent(with_matrix_header(over_tile(
      "unsigned to[2];\nwarpwright::load_matrices(to, t < 16 ? tile + 4 * t : tile + 1);\nb[t] = to[0] + to[1];")));
}

TEST(LoadsOfMatrices, order_nothing) {
  const std::string text = R"(tile[4 * (t ^ 1)] = 7;
SYNC
unsigned to[4];
warpwright::load_matrices(to, tile + 4 * t);
b[t] = to[0];)";
  const auto with = [&](const std::string& sync) {
    std::string body = text;
    return with_matrix_header(over_tile(body.replace(body.find("SYNC"), 4, sync)));
  };
  expect_silent(with("__syncwarp();"));
  EXPECT_FALSE(races_of(with("")).empty());
}

TEST(LoadsOfMatrices, find_rows_that_nobody_wrote_and_copies_under_way) {
  expect_finding(with_matrix_header(over_buffers(R"(alignas(16) __shared__ unsigned empty[128];
unsigned to[4];
warpwright::load_matrices(to, empty + 4 * threadIdx.x);  // HERE
b[threadIdx.x] = to[0];)",
                                                 {1}, {32})),
                 FindingKind::uninitialised_read);
  found_in(R"(warpwright::async_copy<16>(tile + 4 * t, a + 4 * t);
warpwright::async_commit();
unsigned to[4];
warpwright::load_matrices(to, tile + 4 * t);  // HERE
warpwright::async_wait<0>();
b[t] = to[0];)",
           FindingKind::unfinished_copy);
}

TEST(StoresOfMatrices, put_what_loads_would_get) {
  for (const bool is_transposed : {false, true})
    for (const unsigned count : {1U, 2U, 4U}) {
      const std::string suffix = is_transposed ? "_transposed" : "";
      Experiment experiment = with_matrix_header(over_tile(
          "unsigned from[" + std::to_string(count) + "];\nfor (int i = 0; i < " + std::to_string(count) +
          "; ++i) from[i] = (1000 * i + 2 * t) | (1000 * i + 2 * t + 1) << 16;\nwarpwright::store_matrices" + suffix +
          "(tile + 4 * t, from);\n__syncwarp();\nfor (int i = 0; i < 4; ++i) b[32 * i + t] = tile[32 * i + t];"));
      ASSERT_EQ(summary_of(experiment.run(3)), "");
      const auto got = values_of<std::uint16_t>(experiment.contents[1]);
      for (unsigned matrix = 0; matrix < 4; ++matrix)
        for (unsigned row = 0; row < 8; ++row)
          for (unsigned column = 0; column < 8; ++column) {
            const unsigned across = is_transposed ? column : row, along = is_transposed ? row : column;
            const unsigned stored = 1000 * matrix + 2 * (4 * across + along / 2) + along % 2;
            EXPECT_EQ(got[8 * (8 * matrix + row) + column], matrix < count ? stored : element(matrix, row, column))
                << matrix << row << column << suffix;
          }
    }
}

TEST(StoresOfMatrices, check_each_row_and_order_nothing) {
  const auto message = [](const std::string& address, FindingKind kind) {
    return found_in("unsigned from[4] = {};\nwarpwright::store_matrices(" + address + ", from);  // HERE", kind)
        .message;
  };
  EXPECT_THAT(message("tile + 4 * (t % 16) + 2", FindingKind::misaligned),
              HasSubstr("of shared array 'tile' of 512 bytes, which is no multiple of 16"));
  EXPECT_THAT(message("tile + 4 * t + 4", FindingKind::out_of_bounds),
              HasSubstr("store of 16 bytes 0 bytes past the end of shared array 'tile'"));
  EXPECT_THAT(message("a + 4 * t", FindingKind::out_of_bounds), HasSubstr("of buffer 'a' of 16384 bytes"));
  const auto with = [&](const std::string& sync) {
    return with_matrix_header(over_tile("unsigned from[4] = {};\nwarpwright::store_matrices(tile + 4 * t, from);\n" +
                                        sync + "b[t] = tile[t];"));
  };
  expect_silent(with("__syncwarp();\n"));
  EXPECT_FALSE(races_of(with("")).empty());
  EXPECT_FALSE(
      races_of(with_matrix_header(over_tile("unsigned from[4] = {};\nwarpwright::store_matrices(tile + 4 * (t & "
                                            "-2), from);")))
          .empty())
      << "two lanes store the same row";
}

TEST(StoresOfMatrices, need_all_lanes_of_the_warp) {
  EXPECT_THAT(found_in("unsigned from[1] = {};\nif (t < 32) __syncwarp();\nwarpwright::store_matrices(tile + 4 * (t % "
                       "8), from);  // HERE",
                       FindingKind::bad_warp_mask, {48})
                  .message,
              HasSubstr("stmatrix with mask 0xffffffff"));
}

const std::string operands = "float sums[4] = {};\nunsigned left[4] = {}, right[2] = {};\n";
const std::string product = "warpwright::multiply_add<16, 8, 16, warpwright::float16>(sums, left, right);";

TEST(ProductsOfMatrices, need_all_lanes_of_the_warp) {
  EXPECT_THAT(found_in(operands + product + "  // HERE", FindingKind::bad_warp_mask, {48}).message,
              HasSubstr("mma.sync with mask 0xffffffff that names lanes 0xffff0000, which the warp does not have"));
  const Execution left = with_matrix_header(over_tile(operands + "if (t == 5) return;\n" + product)).run(1);
  EXPECT_THAT(summary_of(left), HasSubstr("bad warp mask"));
  SimulationOptions tolerant;
  tolerant.accept_exited_threads = true;
  EXPECT_THAT(summary_of(with_matrix_header(over_tile(operands + "if (t == 5) return;\n" + product)).run(tolerant)),
              HasSubstr("bad warp mask"))
      << "no GPU defines what a product is without a lane";
}

TEST(ProductsOfMatrices, are_one_instruction_for_all_lanes) {
  const std::string other = "warpwright::multiply_add<16, 8, 16, warpwright::bfloat16>(sums, left, right);";
  const std::string message = with_matrix_header(over_tile(operands + "if (t % 2 == 0) {\n" + product + "\n} else {\n" +
                                                           other + "\n}\nb[t] = sums[0];"))
                                  .run(0)
                                  .findings.at(0)
                                  .message;
  EXPECT_THAT(message, HasSubstr("mma.sync m16n8k16 f32.f16.f16.f32"));
  EXPECT_THAT(message, HasSubstr("mma.sync m16n8k16 f32.bf16.bf16.f32"));
  const std::string twice =
      operands + "if (CONDITION) {\n" + product + "\n} else {\n" + product + "\n}\nb[t] = sums[0];";
  const auto with = [&](const std::string& condition) {
    std::string body = twice;
    return with_matrix_header(over_tile(body.replace(body.find("CONDITION"), 9, condition), {64}));
  };
  expect_silent(with("t < 32"));
  EXPECT_THAT(with("t % 32 < 16").run(0).findings.at(0).message, HasSubstr("all lanes must execute the same one"));
}

TEST(ProductsOfMatrices, and_shuffles_do_not_meet) {
  EXPECT_THAT(with_matrix_header(over_tile(operands + "if (t % 2 == 0) {\n" + product +
                                           "\n} else {\n__syncwarp();\n}\nb[t] = sums[0];"))
                  .run(0)
                  .findings.at(0)
                  .message,
              HasSubstr("mma.sync"));
}

TEST(ProductsOfMatrices, of_rows_of_shared_memory_are_plain_ones) {
  // A (16 x 16) is the first 256 halves of the tile; with B = identity, the sums are A's first columns.
  Experiment experiment = with_matrix_header(over_buffers(R"(using warpwright::float16;
alignas(16) __shared__ float16 left[16][16], right[16][8];
const int t = threadIdx.x;
for (int i = t; i < 256; i += 32) left[i / 16][i % 16] = float16(i);
for (int i = t; i < 128; i += 32) right[i / 8][i % 8] = float16(i / 8 == i % 8 ? 2 : 0);
__syncwarp();
unsigned of_left[4], of_right[2];
warpwright::load_matrices(of_left, &left[t % 16][t / 16 * 8]);
warpwright::load_matrices_transposed(of_right, &right[t % 16][0]);
float sums[4] = {1, 1, 1, 1};
warpwright::multiply_add<16, 8, 16, float16>(sums, of_left, of_right);
for (int i = 0; i < 4; ++i) b[(t / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = static_cast<int>(sums[i]);)",
                                                          {1}, {32}));
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    ASSERT_EQ(summary_of(experiment.run(seed)), "");
    const auto got = values_of<int>(experiment.contents[1]);
    for (int i = 0; i < 128; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 1 + 2 * (i / 8 * 16 + i % 8)) << i;
  }
}

}  // namespace
}  // namespace warpwright::simulator
