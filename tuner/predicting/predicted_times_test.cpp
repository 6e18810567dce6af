// Tests of predicted times against measured times of an H200, for configurations that earlier models mispredicted by up
// to 80 times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "db/query/query.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::tuner {
namespace {

namespace fs = std::filesystem;

/// A configuration, its time (measured on 2026-11-21 and 22), and the allowed error of a prediction.
struct Known {
  const char* kernel;
  const char* problem;
  const char* params;
  double measured_us;
  double factor;
};

constexpr Known kKnown[] = {
    // Every block waits for the previous one.
    {"scan/domino", "--size 2^24 --type float --with kind=inclusive,op=sum",
     "block_size=1024,coarsening=16,vector_width=1,tile_scan=warp_shuffle,bank_pad=0", 352.5, 1.2},
    // Bulk copies move lines, not 16 bytes.
    {"compact/stream", "--size 2^24 --type float --with op=select,data=kept:0.5",
     "compute_warps=16,look_back_warps=2,coarsening=16,vector_width=4,stages=7,delay=5,restore=last_block,store=staged",
     35.9, 1.5},
    // Atomics on one line are serialized, those on many lines are not.
    {"histogram/global_atomic", "--size 2^24 --type 'unsigned char' --with bins=256,data=uniform", "", 2069, 1.3},
    {"lennard_jones/force_half", "--size 256000 --type float --with op=forces",
     "block_size=32,unroll=1,layout=by_slot,min_blocks=4", 271.5, 4},
    // The work of most threads is outside of any loop.
    {"convolution/constant", "--size 4096x4096 --type float --with filter=5,border=zero",
     "block_x=32,block_y=2,rows_per_thread=4,vector_width=2,unroll=0", 56.8, 1.5},
    // The number of sweeps depends on the data.
    {"eigen/jacobi_warp", "--size 16384 --type float --with order=8,data=random",
     "block_size=256,lanes=8,bank_pad=0,unroll=4,vectors_in=shared,order=round_robin", 97.5, 3},
    // Integer arithmetic.
    {"random/grid_stride", "--size 2^24 --type float --with distribution=uniform",
     "block_size=512,philox_blocks=8,vector_width=4,grid_blocks_per_sm=4,store=streaming", 23.3, 1.5},
};

TEST(PredictedTimes, AgreeWithMeasuredTimesOfAnH200) {
  const TemporaryFolder folder;
  for (const Known& known : kKnown) {
    const std::string set = *known.params == '\0' ? "" : fmt::format("--set '{}'", known.params);
    const fs::path db = folder / fs::path(known.kernel).filename();
    const auto run = simulator::run_process(
        {"sh", "-c",
         fmt::format(
             "{}/bin/tune --arch sm_90 --board H200 --predict --no-report --evaluations 1 --cache {}/test_cache "
             "--db {} --pattern {} {} {} 2>&1",
             WARPWRIGHT_BINARY_DIR, WARPWRIGHT_BINARY_DIR, db.string(), known.kernel, known.problem, set)},
        "", time_factor * std::chrono::minutes(3));
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const auto found = db::trials(db::Store(db, db::Mode::read_only), {});
    ASSERT_FALSE(found.empty()) << run.output;
    const double us = found.front().time_us().value_or(0);
    EXPECT_GT(us, known.measured_us / known.factor) << known.kernel;
    EXPECT_LT(us, known.measured_us * known.factor) << known.kernel;
  }
}

}  // namespace
}  // namespace warpwright::tuner
