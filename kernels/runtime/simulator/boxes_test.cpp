// Tests of bulk copies of boxes (tensor maps) in the simulator: where elements arrive, and faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/runtime/simulator/box_kernel.hpp"
#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

struct Done {
  std::string findings;
  std::vector<std::uint16_t> box;
};

Done run(const std::string& text, int column, int row, const TensorMap& map = box_map, std::uint64_t seed = 0) {
  std::vector<std::vector<std::byte>> contents{bytes_of(box_input()),
                                               bytes_of(std::vector<std::uint16_t>(box_elements))};
  SimulationOptions options;
  options.schedule.seed = seed;
  options.device.compute_capability = 90;
  const Execution execution = simulate(box_plan(map, column, row), module_of(text, {"copy"}), contents, options);
  Done done;
  for (const Finding& finding : execution.findings) done.findings += describe(finding) + "\n";
  done.box = values_of<std::uint16_t>(contents[1]);
  return done;
}

TEST(Boxes, ArriveSwizzledWithZerosOutsideTheMatrix) {
  for (const int bytes : {0, 32, 64, 128})
    for (const auto& [column, row] : box_places) {
      const Done done = run(box_kernel, column, row, box_map_of(bytes));
      ASSERT_EQ(done.findings, "") << column << " " << row;
      ASSERT_EQ(done.box, expected_box(bytes, column, row)) << bytes << ", the box at " << column << ", " << row;
    }
}

Done stored(const std::string& text, int column, int row, const TensorMap& map = box_map, std::uint64_t seed = 0) {
  std::vector<std::vector<std::byte>> contents{bytes_of(box_input())};
  SimulationOptions options;
  options.schedule.seed = seed;
  options.device.compute_capability = 90;
  const Execution execution = simulate(store_plan(map, column, row), module_of(text, {"store"}), contents, options);
  Done done;
  for (const Finding& finding : execution.findings) done.findings += describe(finding) + "\n";
  done.box = values_of<std::uint16_t>(contents[0]);
  return done;
}

TEST(Boxes, AreStoredSwizzledInsideTheMatrixOnly) {
  for (const int bytes : {0, 32, 64, 128})
    for (const auto& [column, row] : box_places) {
      const Done done = stored(store_kernel, column, row, box_map_of(bytes));
      if (!can_store({column, row})) {
        ASSERT_THAT(done.findings, HasSubstr("a box is stored from " + std::to_string(column) + " on in dimension 0"));
        continue;
      }
      ASSERT_EQ(done.findings, "") << column << " " << row;
      ASSERT_EQ(done.box, expected_matrix(bytes, column, row)) << bytes << ", the box at " << column << ", " << row;
    }
}

TEST(Boxes, ThatAreStoredNeedAFenceAndAWait) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    EXPECT_THAT(stored(with(store_kernel, "fence_async();", ""), 0, 0, box_map, seed).findings,
                HasSubstr("a bulk copy reads 16 bytes at byte 0 of shared array 'box' of 512 bytes, of which an "
                          "ordinary store wrote some, and the thread that stored has executed no fence_async since"));
    EXPECT_THAT(stored(with(store_kernel, "bulk_wait_reads<0>();", ""), 0, 0, box_map, seed).findings,
                HasSubstr("nobody waits for the asynchronous copy of 512 bytes at byte 0 of shared array 'box'"));
    EXPECT_THAT(stored(with(store_kernel, "bulk_wait_reads<0>();", "box[32] = 0;"), 0, 0, box_map, seed).findings,
                HasSubstr("store of 2 bytes at byte 64 of shared array 'box' of 512 bytes while an asynchronous copy "
                          "reads it: it is still under way, no wait covers it"));
  }
  EXPECT_THAT(stored(with(store_kernel, "row, box)", "row, box + 8)"), 0, 0).findings,
              HasSubstr("a box comes from a multiple of 128 bytes"));
  EXPECT_THAT(stored(with(store_kernel, "row, box)", "row, box + 128)"), 0, 0).findings, HasSubstr("out of bounds"));
}

TEST(Boxes, OutsideTheMatrixAreNotReadFromSharedMemory) {
  // With its first column 24, half of the box lies behind the last column.
  const std::string half = with(store_kernel, "box[i] = i + 1", "if (i % 32 < 16) box[i] = i + 1");
  TensorMap map = box_map;
  map.swizzle = 0;
  EXPECT_EQ(stored(half, 24, 0, map).findings, "");
  EXPECT_THAT(stored(half, 16, 0, map).findings, HasSubstr("uninitialised read"));
}

TEST(Boxes, AreNotStoredFromANegativeRowOn) {
  EXPECT_THAT(stored(store_kernel, 0, -2).findings,
              HasSubstr("a box is stored from -2 on in dimension 1 of its tensor: it may end outside, but must not "
                        "begin at a negative place"));
}

TEST(Boxes, HaveOneToFiveDimensions) {
  const auto moved = [](const TensorCase& one, std::size_t dimensions, std::vector<std::vector<std::byte>>& contents) {
    contents = {bytes_of(box_input()), bytes_of(std::vector<std::uint16_t>(std::size_t{matrix_rows} * row_pitch))};
    SimulationOptions options;
    options.device.compute_capability = 90;
    return simulate(tensor_plan(one), module_of(tensor_kernel(dimensions), {"moved"}), contents, options);
  };
  std::vector<std::vector<std::byte>> contents;
  for (const TensorCase& one : tensor_cases()) {
    const Plan plan = tensor_plan(one);
    ASSERT_EQ(plan_fault(plan), "") << one.name;
    EXPECT_EQ(nlohmann::json::parse(nlohmann::json(plan).dump()).get<Plan>(), plan);
    const Execution execution = moved(one, one.first.size(), contents);
    ASSERT_EQ(summary_of(execution), "") << one.name << describe(execution.findings[0]);
    EXPECT_EQ(values_of<std::uint16_t>(contents[1]), expected_tensor(one)) << one.name;
  }
  EXPECT_EQ(describe(tensor_cases()[0].map), "boxes of 256 in 952 of 2 B");
  TensorCase four = tensor_cases()[5];
  EXPECT_EQ(describe(four.map), "boxes of 32x2x2x2 in 40x3x2x3 of 2 B, pitch 48, 144, 288, swizzle 64 B");
  four.first.pop_back();
  EXPECT_THAT(moved(four, 3, contents).findings.at(0).message, HasSubstr("a box of 3 dimensions by a tensor map of 4"));
}

TEST(Boxes, AreUnderWayUntilTheWait) {
  const std::string no_wait = with(box_kernel, "  phase_wait(&barrier, 0);\n", "");
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_THAT(run(no_wait, 0, 0, box_map, seed).findings,
                HasSubstr("while an asynchronous copy writes it: it is still under way, no wait covers it"));
  const std::string stores =
      with(with(box_kernel, "const unsigned short* in", "unsigned short* in"), "  phase_wait(&barrier, 0);\n",
           "  in[49] = 1;  // STORE\n  phase_wait(&barrier, 0);\n");
  Plan plan = box_plan(box_map, 0, 0);
  plan.buffers[0].role = Role::inout;
  std::vector<std::vector<std::byte>> contents{
      bytes_of(std::vector<std::uint16_t>(std::size_t{matrix_rows} * row_pitch)),
      bytes_of(std::vector<std::uint16_t>(box_elements))};
  SimulationOptions options;
  options.device.compute_capability = 90;
  const Execution execution = simulate(plan, module_of(stores, {"copy"}), contents, options);
  std::string all;
  for (const Finding& finding : execution.findings) all += describe(finding) + "\n";
  EXPECT_THAT(all, HasSubstr("while an asynchronous copy reads it"));
  EXPECT_THAT(all, HasSubstr("kernel.cuh:" + std::to_string(line_of(stores, "STORE"))));
}

TEST(Boxes, CountAllOfTheirBytes) {
  const std::string half = with(box_kernel, "phase_arrive_expect(&barrier, 512)", "phase_arrive_expect(&barrier, 256)");
  EXPECT_THAT(run(half, 24, 15).findings, HasSubstr("expects 256 bytes, and copies of 512 are under way"));
}

TEST(Boxes, GoToMultiplesOf128BytesInSharedMemory) {
  const std::string misplaced = with(box_kernel, "bulk_copy_box(box, map", "bulk_copy_box(box + 8, map");
  EXPECT_THAT(run(misplaced, 0, 0).findings, HasSubstr("a box goes to a multiple of 128 bytes"));
  EXPECT_THAT(run(box_kernel, 4, 0).findings, HasSubstr("a box begins at a column that is a multiple of 16 bytes"));
  const std::string outside = with(box_kernel, "bulk_copy_box(box, map", "bulk_copy_box(box + 128, map");
  EXPECT_THAT(run(outside, 0, 0).findings, HasSubstr("out of bounds"));
}

TEST(Boxes, NeedATensorMapThatTheDriverWouldMake) {
  const auto fault = [](const std::function<void(TensorMap&)>& change) {
    TensorMap map = box_map;
    change(map);
    return plan_fault(box_plan(map, 0, 0));
  };
  EXPECT_EQ(fault([](TensorMap&) {}), "");
  EXPECT_THAT(fault([](TensorMap& map) { map.pitch = 44; }), HasSubstr("begin at multiples of 16 bytes"));
  EXPECT_THAT(fault([](TensorMap& map) { map.box_columns = 33; }), HasSubstr("rows of 66 bytes"));
  EXPECT_THAT(fault([](TensorMap& map) { map.box_rows = 257; }), HasSubstr("from 1 to 256 of each"));
  EXPECT_THAT(fault([](TensorMap& map) { map.swizzle = 32; }),
              HasSubstr("those of a swizzle of 32 bytes have just as many"));
  EXPECT_THAT(fault([](TensorMap& map) { map.swizzle = 16; }), HasSubstr("there are 32, 64 and 128"));
  EXPECT_THAT(fault([](TensorMap& map) { map.rows = 21; }), HasSubstr("the matrix ends at byte"));
  EXPECT_THAT(fault([](TensorMap& map) { map.element_bytes = 3; }), HasSubstr("1, 2, 4 or 8 bytes"));
  EXPECT_THAT(fault([](TensorMap& map) { map.columns = 0; }), HasSubstr("from 1 to 2^32"));
  EXPECT_THAT(fault([](TensorMap& map) { map.outer = {{.count = 2, .pitch = 100}}; }),
              HasSubstr("layers of a tensor map begin at multiples of 16 bytes"));
  EXPECT_THAT(fault([](TensorMap& map) { map.outer = {{.count = 2, .pitch = 96, .box = 257}}; }),
              HasSubstr("boxes of 257 layers"));
  EXPECT_THAT(fault([](TensorMap& map) { map.outer = {{.count = 0, .pitch = 96}}; }), HasSubstr("0 layers"));
  EXPECT_THAT(fault([](TensorMap& map) { map.outer.resize(4, {.count = 1, .pitch = 96}); }),
              HasSubstr("at most five dimensions"));
  EXPECT_THAT(fault([](TensorMap& map) { map.outer = {{.count = 2, .pitch = 96}}; }),
              HasSubstr("the matrix ends at byte"));
  EXPECT_THAT(fault([](TensorMap& map) { map.rows = 0; }), HasSubstr("has one dimension, and so no pitch"));
  const TensorMap vector = tensor_cases()[0].map;
  const auto fault_of_one = [&](std::int64_t columns, int box) {
    TensorMap map = vector;
    map.columns = columns;
    map.box_columns = box;
    return fault_of(map);
  };
  EXPECT_EQ(fault_of(vector), "");
  EXPECT_THAT(fault_of_one(-1, 256), HasSubstr("from 1 to 2^32"));
  EXPECT_THAT(fault_of_one(1024, 512), HasSubstr("boxes of 512 elements"));
  EXPECT_THAT(fault_of_one(1024, 12), HasSubstr("rows of 24 bytes"));
}

TEST(Boxes, OfAPlanSurviveARoundTripAsText) {
  const Plan plan = box_plan(box_map, 1, 2);
  EXPECT_EQ(nlohmann::json::parse(nlohmann::json(plan).dump()).get<Plan>(), plan);
  EXPECT_THAT(describe(plan), HasSubstr("boxes of 32x8 in 40x20 of 2 B, pitch 48, swizzle 64 B"));
}

}  // namespace
}  // namespace warpwright::simulator
