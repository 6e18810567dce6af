// From job files to patterns and kernels beside those of the build.
#pragma once

#include "kernels/job/job.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::job {

/// What a job comes to.
struct Lowered {
  Pattern pattern;
  Kernel kernel;
  SourceTree sources;
};

/// Reads the job's text and makes its pattern and kernel. Throws JobError for what is wrong with the job, and
/// std::runtime_error with file and line for what is wrong with the text.
Lowered lower(const Job& job);

}  // namespace warpwright::job
