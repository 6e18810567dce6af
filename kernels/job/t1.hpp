// Converts T1, Kernel Tuner's format for a tuning problem, to a job file.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright::job {

/// The text of a job for a T1 file and its .cu file. Paths in it are relative to the folder of `output`. Comments mark
/// what T1 does not say: the job compares with the default configuration, and guesses the bound. Throws JobError with
/// the file and line of anything in T1 that a job cannot express.
std::string job_of_t1(const std::filesystem::path& problem, const std::filesystem::path& source,
                      const std::filesystem::path& output);

}  // namespace warpwright::job
