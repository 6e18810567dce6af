// Makes patterns and kernels from job files.
#pragma once

#include "kernels/job/job.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::job {

/// The pattern and kernel of a job, with their sources.
struct Lowered {
  Pattern pattern;
  Kernel kernel;
  SourceTree sources;
};

/// Reads the job's source and makes its pattern and kernel. Throws JobError for errors in the job, and
/// std::runtime_error with file and line for errors in the source.
Lowered lower(const Job& job);

}  // namespace warpwright::job
