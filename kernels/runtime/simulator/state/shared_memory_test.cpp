// Shared variables in CUDA's spellings: each block has its own copy for each instance of each kernel.
#include "kernels/runtime/simulator/state/shared_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

TEST(Shared, arrays_scalars_and_structs_belong_to_their_block) {
  const std::string text = R"(
struct Pair { int first; float second[3]; };
__shared__ int at_namespace_scope[64];
__device__ int sum_of(const int* values, int count) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (threadIdx.x < count) atomicAdd(&sum, values[threadIdx.x]);
  __syncthreads();
  const int result = sum;
  __syncthreads();
  return result;
}
__global__ void kernel(int* a, int* b, unsigned* flags, int* s) {
  __shared__ int tile[4][17];
  static __shared__ bool seen[64];
  alignas(16) __shared__ float wide[64];
  __shared__ __align__(8) unsigned char bytes[256];
  __shared__ Pair pair;
  __shared__ float4 vectors[16];
  const int i = threadIdx.x;
  tile[i / 16][i % 16] = blockIdx.x;
  at_namespace_scope[i] = 1;
  seen[i] = true;
  reinterpret_cast<int*>(bytes)[i] = i;
  if (i == 0) pair.first = 3;
  if (i < 16) reinterpret_cast<float4*>(wide)[i] = vectors[i] = float4{1, 2, 3, 4};
  __syncthreads();
  const int sum = sum_of(&tile[1][0], 16) + sum_of(at_namespace_scope, 64);
  b[blockIdx.x * 64 + i] = sum + tile[(63 - i) / 16][3] + seen[63 - i] + pair.first + int(wide[63 - i]) +
                           int(vectors[0].w) + reinterpret_cast<int*>(bytes)[63 - i];
}
)";
  Experiment experiment = over_buffers(text, {3}, {64});
  experiment.text = text;
  expect_silent(experiment);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    experiment.run(seed);
    const auto b = values_of<int>(experiment.contents[1]);
    for (int block = 0; block < 3; ++block)
      for (int i = 0; i < 64; ++i)
        ASSERT_EQ(b[block * 64 + i], 16 * block + 64 + block + 1 + 3 + (63 - i) % 4 + 1 + 4 + 63 - i)
            << block << ' ' << i;
  }
}

TEST(Shared, every_kernel_names_the_dynamic_memory_as_it_likes) {
  const std::string text = R"(
extern __shared__ __align__(16) unsigned char bytes[];
namespace one {
template <class T> __global__ void kernel(T* out) {
  T* const part = reinterpret_cast<T*>(bytes);
  part[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = part[31 - threadIdx.x];
}
}
namespace two {
__global__ void kernel(float* out) {
  extern __shared__ float part[];
  __shared__ float fixed[32];
  fixed[threadIdx.x] = part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = part[31 - threadIdx.x] + 0 * fixed[3];
}
}
)";
  const std::vector<std::string> entries{"one::kernel<float>", "one::kernel<double>", "two::kernel"};
  for (const std::string& entry : entries) {
    const bool wide = entry == entries[1];
    Experiment experiment{.text = text, .entry = entry, .shared_bytes = wide ? 256U : 128U};
    if (wide)
      experiment.with("out", Role::out, ElementType::f64, std::vector<double>(32));
    else
      experiment.with("out", Role::out, ElementType::f32, std::vector<float>(32));
    const Module& module = module_of(text, entries);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SimulationOptions options;
      options.schedule.seed = seed;
      EXPECT_EQ(summary_of(simulate(experiment.plan(), module, experiment.contents, options)), "");
      EXPECT_EQ(wide ? values_of<double>(experiment.contents[0])[1] : values_of<float>(experiment.contents[0])[1], 30);
    }
    experiment.shared_bytes -= 4;
    const Execution execution = simulate(experiment.plan(), module, experiment.contents);
    EXPECT_EQ(execution.findings.at(0).kind, FindingKind::out_of_bounds) << entry;
    EXPECT_EQ(execution.findings.at(0).buffer, "dynamic shared memory");
  }
}

const std::string instances = R"(
template <int N> __global__ void kernel(int* out) {
  __shared__ int tile[N];
  tile[threadIdx.x] = N + out[threadIdx.x];
  __syncthreads();
  int* const p = tile;
  out[threadIdx.x] = p[N - 1 - threadIdx.x];
}
)";

TEST(Shared, instances_and_modules_have_their_own_from_launch_to_launch) {
  const std::vector<std::string> both{"kernel<32>", "kernel<64>"};
  Experiment experiment{.text = instances, .entry = "kernel<32>"};
  experiment.with("out", Role::inout, ElementType::i32, std::vector<int>(64, 1));
  Plan plan = experiment.plan();
  plan.steps.push_back(plan.steps[0]);
  std::get<Launch>(plan.steps[1].what).entry = "kernel<64>";
  std::get<Launch>(plan.steps[1].what).block = {64};
  const Module& first = module_of(instances, both);
  const Module& second = module_of(instances + "\n", both);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SimulationOptions options;
    options.schedule.seed = seed;
    experiment.contents[0] = bytes_of(std::vector<int>(64, 1));
    EXPECT_EQ(summary_of(simulate(plan, seed % 3 == 0 ? second : first, experiment.contents, options)), "");
    EXPECT_EQ(values_of<int>(experiment.contents[0])[63], 64 + 33);
    EXPECT_EQ(values_of<int>(experiment.contents[0])[0], 64 + 1);
  }
}

TEST(Shared, contents_are_undefined_at_the_start_of_every_block_also_of_a_class) {
  for (const std::string type : {"struct Box { int value; };", "struct Box { int value = 3; };",
                                 "struct Box { int value; __device__ Box() : value(3) {} };",
                                 "struct Box { int value; __device__ Box() {} __device__ ~Box() { value = 0; } };"}) {
    const Finding finding = expect_finding(two_buffers(type + R"(
__global__ void kernel(float* first, float* second) {
  __shared__ Box box;
  first[0] = box.value;  // HERE
}
)",
                                                       1, 32),
                                           FindingKind::uninitialised_read);
    EXPECT_EQ(finding.buffer, "box");
  }
}

TEST(Shared, what_a_function_returns_is_seen_where_it_is_put) {
  const std::string before = R"(
struct Five { float a, b, c, d, e; };
__device__ Five five(float x) {
  Five made;
  made.a = x, made.b = 2 * x, made.c = made.d = made.e = 1;
  for (int k = 0; k < 3; ++k) made.a += made.b;
  return made;
}
__device__ float4 quad(float x) {
  float4 made = make_float4(x, 2, 3, 4);
  for (int k = 0; k < 3; ++k) made.x += made.y;
  return made;
}
__global__ void kernel(float* first, float* second) {
  __shared__ Five fives[32];
  __shared__ float4 quads[32];
  const int i = threadIdx.x;
  fives[i].a = quads[i].x = 0;
  __syncthreads();
  fives[i] = five(i);
  quads[i] = quad(i);
)";
  const std::string after = R"(
  first[i] = fives[31 - i].a + quads[31 - i].x;
}
)";
  Experiment right = two_buffers(before + "__syncthreads();" + after, 32, 32);
  expect_silent(right);
  right.run(1);
  EXPECT_EQ(values_of<float>(right.contents[0])[1], 30 + 3 * 60 + 30 + 6);
  EXPECT_THAT(summary_of(two_buffers(before + after, 32, 32).run(1)), HasSubstr("race"));
}

TEST(Shared, findings_name_the_variable) {
  const Finding race = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ int winner;
  winner = threadIdx.x;  // HERE
  __syncthreads();
  first[threadIdx.x] = winner;
}
)",
                                                  32, 32),
                                      FindingKind::race);
  EXPECT_EQ(race.buffer, "winner");
  EXPECT_THAT(race.message, HasSubstr("shared array 'winner' of 4 bytes"));
  const Finding beyond = expect_finding(two_buffers(R"(
struct Rows { float row[2][8]; };
__global__ void kernel(float* first, float* second) {
  __shared__ Rows rows;
  rows.row[threadIdx.x][7 + blockDim.x] = 1;  // HERE
}
)",
                                                    2, 32),
                                        FindingKind::out_of_bounds);
  EXPECT_EQ(beyond.message, "index 9 in a dimension of 8 of array 'row'");
}

TEST(Shared, what_nothing_reads_is_checked_too) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float tile[32];
  float* const p = tile;
  p[threadIdx.x + 1] = second[0];  // HERE
}
)",
                                                     32, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "tile");
}

TEST(Shared, variables_may_fill_what_a_block_may_have_and_not_more) {
  const auto with = [](int bytes) {
    return two_buffers(
               "__global__ void kernel(float* first, float* second) {\n  __shared__ float tile[12287];\n"
               "  __shared__ unsigned char bytes[" +
                   std::to_string(bytes) + "];\n  tile[0] = bytes[0] = 1;\n}\n",
               1, 32)
        .run();
  };
  EXPECT_EQ(summary_of(with(4)), "");
  EXPECT_THAT(with(5).findings.at(0).message, HasSubstr("more than 49152 bytes"));
}

}  // namespace
}  // namespace warpwright::simulator
