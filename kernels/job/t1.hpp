// From a T1 description of a tuning problem, as Kernel Tuner's users exchange them, to a job file.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright::job {

/// The text of a job for the T1 file and the .cu file that it is about; paths in it are those beside `output`. What T1
/// does not say is marked by a comment: answers are compared with the default configuration, the bound is a guess.
/// Throws JobError with the file and line of what T1 says and a job cannot.
std::string job_of_t1(const std::filesystem::path& problem, const std::filesystem::path& source,
                      const std::filesystem::path& output);

}  // namespace warpwright::job
