// For tests: job files and .cu files as strings.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/core/target.hpp"
#include "kernels/job/draft.hpp"
#include "kernels/job/lower.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::job {

/// y = scale * x, with a block size and a number of elements per thread as macros.
inline constexpr const char* kScaleText = R"(#include <cstdio>
#ifndef BLOCK
#define BLOCK 128
#endif
#define PER_THREAD 1
__constant__ float scale[1];
__global__ void scaled(float* y, const float* x, int n) {
  for (int k = 0; k < PER_THREAD; ++k) {
    const int i = (blockIdx.x * PER_THREAD + k) * BLOCK + threadIdx.x;
    if (i < n) y[i] = scale[0] * x[i];
  }
}
int main() { printf("host code\n"); }
)";

inline constexpr const char* kScaleJob = R"job({
  "name": "scale",
  "file": "scale.cu",
  "extents": ["n"],
  "params": {
    "BLOCK": {"values": [64, 128, 256], "default": 128},
    "PER_THREAD": "[1, 2, 4]"
  },
  "constraints": ["BLOCK * PER_THREAD <= 512"],
  "buffers": {
    "x": {"role": "in", "type": "float", "count": "n"},
    "scale": {"role": "constant", "type": "float", "count": 1},
    "y": {"role": "out", "type": "float", "count": "n"}
  },
  "steps": [{"kernel": "scaled", "grid": "ceil_div(n, BLOCK * PER_THREAD)", "block": "BLOCK"}],
  "shapes": [[1048576]],
  "bound": {"depth": 1, "of": "result"}
}
)job";

class JobFiles : public testing::Test {
 protected:
  void SetUp() override { write("scale.cu", kScaleText); }

  /// The draft of a job for that text.
  std::string draft(const std::string& text) {
    return draft_of(write("kernel.cu", text), folder_ / "kernel.json").text;
  }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  /// The job file with `part`, which must be in it, replaced by `other`.
  static std::string with(std::string text, const std::string& part, const std::string& other) {
    const auto at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
  }

  Lowered lowered(const std::string& text) { return lower(read_job(write("job.json", text))); }

  /// The message about a wrong job, from the file's name on; "none" if the job is right.
  std::string refusal(const std::string& text) {
    try {
      lowered(text);
    } catch (const JobError& error) {
      const std::string words = error.what();
      const auto file = words.find("job.json:");
      return file == std::string::npos ? words : words.substr(file);
    }
    return "none";
  }

  static Plan plan_of(const Lowered& job, const std::string& params, const std::vector<std::int64_t>& shape) {
    const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, shape);
    return job.kernel.plan(job.kernel.space.parse(params, job.kernel.default_point), problem, host_device());
  }

  std::size_t points(const Lowered& job) {
    return job.kernel.space.points({.types = job.pattern.types.front(), .device = host_device()}).size();
  }

  TemporaryFolder folder_;
};

}  // namespace warpwright::job
