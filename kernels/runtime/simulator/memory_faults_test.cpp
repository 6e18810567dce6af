// Tests of wrong accesses: out of bounds, misaligned, or writes to read-only memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

TEST(Memory, a_store_just_past_a_buffer_is_out_of_bounds_and_does_not_happen) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const int i = threadIdx.x;
  if (i <= 100) first[i] = 3.0f;  // HERE
}
)",
                                      128, 100);
  const Finding finding = expect_finding(experiment, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "first");
  EXPECT_EQ(finding.offset, 400);
  EXPECT_EQ(finding.location.thread, (Dim3{100, 0, 0}));
  EXPECT_THAT(finding.message, HasSubstr("store of 4 bytes 0 bytes past the end of buffer 'first' of 400 bytes"));
  experiment.run(1);
  EXPECT_EQ(values_of<float>(experiment.contents[1]), std::vector<float>(100, 2.0f));
}

TEST(Memory, a_local_array_has_bounds_too) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  float held[4];
  for (int i = 0; i <= 4; ++i) held[i] = first[i];  // HERE
  for (int i = 0; i < 4; ++i) second[threadIdx.x] += held[i];
}
)",
                                                     1, 8),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.message, "index 4 in a dimension of 4 of array 'held'");
}

TEST(Memory, a_local_array_of_vectors_has_exact_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  warpwright::vec<float, 1> held[4];
  for (int i = 0; i <= 4; ++i) held[i] = warpwright::load_vector<1>(first + i);  // HERE
  for (int i = 0; i < 4; ++i) second[threadIdx.x] += held[i][0];
}
)",
                                                     1, 8),
                                         FindingKind::out_of_bounds);
  EXPECT_THAT(finding.message, HasSubstr("past the end of the variable"));
}

TEST(Memory, a_vector_has_bounds_too) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const auto loaded = warpwright::load_vector<4>(first);
  for (int i = -1; i < 4; ++i) second[threadIdx.x] += loaded[i];
}
)",
                                      1, 8);
  const Execution execution = experiment.run(1);
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_THAT(execution.findings[0].message, HasSubstr("index -1 of a vec"));
}

TEST(Memory, a_vector_load_past_the_end_is_out_of_bounds) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const auto four = warpwright::load_vector<4>(second + 4 * threadIdx.x);  // HERE
  first[threadIdx.x] = four[3];
}
)",
                             4, 15),
                 FindingKind::out_of_bounds);
}

TEST(Memory, a_load_before_a_buffer_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[threadIdx.x] = second[static_cast<int>(threadIdx.x) - 1];  // HERE
}
)",
                                                     32, 64),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "second");
  EXPECT_EQ(finding.offset, -4);
}

TEST(Memory, a_wild_pointer_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[threadIdx.x] = *reinterpret_cast<float*>(0x10);  // HERE
}
)",
                                                     1, 4),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "");
}

TEST(Memory, an_atomic_past_the_end_is_out_of_bounds) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  atomicAdd(first + threadIdx.x, 1.0f);  // HERE
}
)",
                             5, 4),
                 FindingKind::out_of_bounds);
}

TEST(Memory, a_vector_load_from_an_odd_address_is_misaligned) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const float4 four = *reinterpret_cast<const float4*>(second + 1);  // HERE
  first[threadIdx.x] = four.x;
}
)",
                                                     1, 64),
                                         FindingKind::misaligned);
  EXPECT_EQ(finding.offset, 4);
}

TEST(Memory, a_store_to_an_input_is_found) {
  Experiment experiment{.text = R"(
__global__ void kernel(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];
  const_cast<float*>(in)[threadIdx.x] = 0.0f;  // HERE
}
)",
                        .entry = "kernel"};
  experiment.with("in", Role::in, ElementType::f32, std::vector<float>(32, 1.0f));
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(32, 1.0f));
  EXPECT_EQ(expect_finding(experiment, FindingKind::input_written).buffer, "in");
}

TEST(Memory, an_index_past_a_row_of_a_shared_array_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float tile[4][8];
  tile[0][threadIdx.x] = second[threadIdx.x];  // HERE
}
)",
                                                     9, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "tile");
  EXPECT_THAT(finding.message, HasSubstr("index 8 in a dimension of 8"));
}

TEST(Memory, a_row_past_a_shared_array_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float tile[4][8];
  tile[static_cast<int>(threadIdx.x) - 1][2] = second[threadIdx.x];  // HERE
}
)",
                                                     3, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "tile");
  EXPECT_THAT(finding.message, HasSubstr("index -1 in a dimension of 4"));
}

TEST(Memory, a_pointer_from_one_shared_array_into_the_next_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float left[32];
  __shared__ float right[32];
  left[threadIdx.x] = right[threadIdx.x] = 0;
  __syncthreads();
  float* const p = left;
  p[threadIdx.x + 1] = 1;  // HERE
}
)",
                                                     32, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "left");
  EXPECT_EQ(finding.offset, 128);
}

TEST(Memory, an_index_past_the_launched_shared_memory_is_out_of_bounds) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = second[threadIdx.x];  // HERE
}
)",
                                      32, 32);
  experiment.shared_bytes = 31 * 4;
  EXPECT_EQ(expect_finding(experiment, FindingKind::out_of_bounds).buffer, "dynamic shared memory");
}

TEST(Memory, the_line_is_that_of_the_device_function_at_fault) {
  expect_finding(two_buffers(R"(
__device__ float pick(const float* from, int i) {
  return from[i];  // HERE
}
__global__ void kernel(float* first, float* second) { first[0] = pick(second, 32); }
)",
                             1, 32),
                 FindingKind::out_of_bounds);
}

TEST(Memory, an_index_of_twice_the_size_does_not_hit_the_next_buffer) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[1'400'000] = second[0];  // HERE
}
)",
                                                     1, 1'000'000),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "first");
  EXPECT_EQ(finding.offset, 5'600'000);
}

TEST(Memory, an_index_of_twice_the_size_does_not_hit_the_next_shared_array) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float left[1024];
  __shared__ float right[1024];
  left[threadIdx.x] = right[threadIdx.x] = 0;
  __syncthreads();
  float* const p = left;
  p[1400 + threadIdx.x] = 1;  // HERE
}
)",
                                                     32, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "left");
}

TEST(Memory, shared_and_atomic_accesses_may_be_misaligned_too) {
  const Finding shared = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float tile[32];
  char* const bytes = reinterpret_cast<char*>(tile);
  *reinterpret_cast<float*>(bytes + 6 * blockDim.x) = second[0];  // HERE
}
)",
                                                    1, 32),
                                        FindingKind::misaligned);
  EXPECT_EQ(shared.buffer, "tile");
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  atomicAdd(reinterpret_cast<unsigned*>(reinterpret_cast<char*>(first) + 2), 1u);  // HERE
}
)",
                             1, 32),
                 FindingKind::misaligned);
}

TEST(Memory, a_buffer_ends_with_its_execution) {
  Experiment experiment = over_buffers("", {1}, {1}, 16);
  experiment.text =
      "__device__ int* kept;\n"
      "__global__ void kernel(int* a, int* b, unsigned* flags, int* s) {\n"
      "  if (kept != nullptr) a[0] = kept[3];  // HERE\n  kept = a;\n}\n";
  SimulationOptions options;
  options.keeps_state = true;
  const Execution execution = experiment.run(options);
  ASSERT_EQ(summary_of(execution), "out of bounds at 3") << "in the second run";
  EXPECT_EQ(execution.findings[0].buffer, "a");
  EXPECT_THAT(execution.findings[0].message, HasSubstr("of an earlier execution, which is over"));
}

TEST(Memory, a_local_belongs_to_one_thread) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float* locals[32];
  float mine[2] = {second[0], second[1]};
  locals[threadIdx.x] = mine;
  __syncthreads();
  first[threadIdx.x] = locals[threadIdx.x][1];
  first[threadIdx.x] += locals[threadIdx.x ^ 1][1];  // HERE
}
)",
                                                     32, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_THAT(finding.message, HasSubstr("a local variable of another thread"));
}

TEST(Memory, a_finding_has_all_known_details) {
  Experiment experiment = two_buffers(
      "__global__ void kernel(float* first, float* second) {\n"
      "  first[threadIdx.x + 100 * blockIdx.x] = second[0];\n}\n",
      64, 150);
  experiment.grid = {2};
  const Execution execution = experiment.run();
  ASSERT_EQ(execution.findings.size(), 1u);
  const Finding& finding = execution.findings[0];
  EXPECT_NE(finding.address, 0u);
  const std::string text = describe(finding);
  EXPECT_THAT(text, HasSubstr("out of bounds: store of 4 bytes 0 bytes past the end of buffer 'first' of 600 bytes"));
  EXPECT_THAT(text, HasSubstr("address 0x"));
  EXPECT_THAT(text, HasSubstr("block (1, 0, 0), thread (50, 0, 0); address 0x"));
}

}  // namespace
}  // namespace warpwright::simulator
