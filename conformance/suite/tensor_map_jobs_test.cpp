// Tests of jobs whose kernels copy boxes by tensor maps: right ones pass, and mistakes are found without a GPU.
#include <gmock/gmock.h>

#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Transposes a matrix of halves by boxes of 64 columns and 16 rows, whose rows are swizzled by 128 bytes.
constexpr const char* kText = R"raw(
#include <cuda.h>
#include <cuda_fp16.h>
__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
__device__ void copy_box(void* to, const CUtensorMap& map, int x, int y, unsigned long long* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
      ::"r"(shared_address(to)), "l"(&map), "r"(x), "r"(y), "r"(shared_address(barrier)) : "memory");
}
__device__ void wait(unsigned long long* barrier, unsigned parity) {
  asm volatile(
      "{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra WAIT;\nDONE:\n}"
      ::"r"(shared_address(barrier)), "r"(parity) : "memory");
}
__global__ void transposed(const __grid_constant__ CUtensorMap map, half* out, int rows, int columns) {
  alignas(1024) __shared__ half box[16 * 64];
  __shared__ unsigned long long barrier;
  const int x = 64 * blockIdx.x, y = 16 * blockIdx.y;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(1));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 ::"r"(shared_address(&barrier)), "r"(16 * 64 * 2) : "memory");
    copy_box(box, map, x, y, &barrier);  // COPY
  }
  __syncthreads();
  wait(&barrier, 0);
  for (int i = threadIdx.x; i < 16 * 64; i += blockDim.x) {
    const int row = i % 16, column = i / 16;
    if (y + row >= rows || x + column >= columns) continue;
    out[static_cast<long long>(x + column) * rows + y + row] = box[64 * row + (column ^ (row % 8 * 8))];  // USE
  }
}
__global__ void plain(const half* in, half* out, int rows, int columns) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < rows * columns) out[i % columns * rows + i / columns] = in[i];
}
)raw";

constexpr const char* kJob = R"raw({"extents": ["rows", "columns"],
  "buffers": {"in": {"role": "in", "type": "half", "count": "rows * columns"},
              "out": {"role": "out", "type": "half", "count": "rows * columns"}},
  "takes": ["columns % 8 == 0"],
  "steps": {"kernel": "transposed", "arguments": [
              {"tensor_map": "in", "extents": ["columns", "rows"], "box": [64, 16], "swizzle": 128}, "out", "rows", "columns"],
            "grid": ["ceil_div(columns, 64)", "ceil_div(rows, 16)"], "block": 64},
  "oracle": {"kernel": "plain", "grid": "ceil_div(rows * columns, 64)", "block": 64},
  "check_shapes": [[1, 8], [17, 72], [15, 64]],
  "shapes": [[48, 136]], "bound": "bits"})raw";

std::string with(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

using TensorMapJobs = CheckedJobs;

TEST_F(TensorMapJobs, ARightKernelPasses) {
  const PropertyReport report = checked(kJob, kText);
  EXPECT_EQ(report.verdict(), Verdict::passed) << report.failure.detail << report.not_modelled;
}

TEST_F(TensorMapJobs, AWrongSwizzleGivesWrongValues) {
  const PropertyReport of_kernel = checked(kJob, with(kText, "(row % 8 * 8)", "(row % 4 * 8)"));
  EXPECT_EQ(of_kernel.verdict(), Verdict::failed);
  EXPECT_THAT(of_kernel.failure.detail, HasSubstr("out["));
  const PropertyReport of_job = checked(with(kJob, R"("swizzle": 128)", R"("swizzle": 0)"), kText);
  EXPECT_EQ(of_job.verdict(), Verdict::failed);
  EXPECT_THAT(of_job.failure.detail, HasSubstr("out["));
}

TEST_F(TensorMapJobs, ABoxBehindTheEdgeHasZerosAndSoGivesWrongValues) {
  const PropertyReport report = checked(kJob, with(kText, "map, x, y, &barrier);", "map, x, y + 8, &barrier);"));
  EXPECT_EQ(report.verdict(), Verdict::failed);
  EXPECT_THAT(report.failure.detail, HasSubstr("out["));
}

TEST_F(TensorMapJobs, AMissingWaitIsAnUnfinishedCopy) {
  const PropertyReport report = checked(kJob, with(kText, "  wait(&barrier, 0);\n", ""));
  EXPECT_EQ(report.verdict(), Verdict::failed);
  EXPECT_THAT(report.failure.detail,
              AllOf(HasSubstr("while an asynchronous copy writes it"), HasSubstr("no wait covers it")));
}

TEST_F(TensorMapJobs, ABoxOfTwiceTheSizeIsOutOfBounds) {
  const PropertyReport report = checked(with(kJob, R"("box": [64, 16])", R"("box": [64, 32])"), kText);
  EXPECT_EQ(report.verdict(), Verdict::failed);
  EXPECT_THAT(report.failure.detail, HasSubstr("out of bounds"));
}

TEST_F(TensorMapJobs, AMatrixOfTooFewRowsGivesWrongValues) {
  const PropertyReport report =
      checked(with(kJob, R"("columns", "rows"], "box")", R"("columns", "rows - rows / 2"], "box")"), kText);
  EXPECT_EQ(report.verdict(), Verdict::failed);
}

/// As in NVIDIA's programming guide: copies boxes in, changes them, and copies them out.
constexpr const char* kIncrementing = R"raw(
#include <cuda.h>
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
__global__ void incremented(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
  alignas(128) __shared__ int box[8][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  const int x = 32 * blockIdx.x, y = 8 * blockIdx.y;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&box, &from, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(box));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 256; i += blockDim.x) box[i / 32][i % 32] += i;
  cde::fence_proxy_async_shared_cta();  // FENCE
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&to, x, y, &box);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}
__global__ void plain(const int* in, int* out, int rows, int columns) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < rows * columns) out[i] = in[i] + i / columns % 8 * 32 + i % columns % 32;
}
)raw";

constexpr const char* kIncrementingJob = R"raw({"extents": ["rows", "columns"],
  "buffers": {"in": {"role": "in", "type": "int", "count": "rows * columns", "data": {"below": 1000}},
              "out": {"role": "out", "type": "int", "count": "rows * columns"}},
  "takes": ["columns % 4 == 0"],
  "steps": {"kernel": "incremented", "arguments": [
              {"tensor_map": "in", "extents": ["columns", "rows"], "box": [32, 8]},
              {"tensor_map": "out", "extents": ["columns", "rows"], "box": [32, 8]}],
            "grid": ["ceil_div(columns, 32)", "ceil_div(rows, 8)"], "block": 64},
  "oracle": {"kernel": "plain", "arguments": ["in", "out", "rows", "columns"],
             "grid": "ceil_div(rows * columns, 64)", "block": 64},
  "check_shapes": [[1, 4], [9, 36], [8, 32]],
  "shapes": [[30, 60]], "bound": "equal"})raw";

TEST_F(TensorMapJobs, BoxesAreStoredByTheFunctionsOfLibcuxx) {
  const PropertyReport report = checked(kIncrementingJob, kIncrementing);
  EXPECT_EQ(report.verdict(), Verdict::passed) << report.failure.detail << report.not_modelled;
}

TEST_F(TensorMapJobs, AStoredBoxNeedsAFenceAndAWait) {
  const PropertyReport unfenced =
      checked(kIncrementingJob, with(kIncrementing, "  cde::fence_proxy_async_shared_cta();  // FENCE\n", ""));
  EXPECT_EQ(unfenced.verdict(), Verdict::failed);
  EXPECT_THAT(unfenced.failure.detail, HasSubstr("has executed no fence_async since"));
  const PropertyReport unawaited =
      checked(kIncrementingJob, with(kIncrementing, "    cde::cp_async_bulk_wait_group_read<0>();\n", ""));
  EXPECT_EQ(unawaited.verdict(), Verdict::failed);
  EXPECT_THAT(unawaited.failure.detail, HasSubstr("nobody waits for the asynchronous copy of 1024 bytes"));
}

}  // namespace
}  // namespace warpwright::conformance
