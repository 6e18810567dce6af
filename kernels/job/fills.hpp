// How a job's buffers are filled.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/job/lowering.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/fill.hpp"

namespace warpwright::job {

/// The data set that the job's own buffers describe.
inline constexpr const char* kGiven = "given";

/// One for each in and inout buffer, in order. Buffers with data that are always so keep it for every kind.
std::vector<Fill> fills_of(const Lowering& lowering, const Problem& problem, const std::string& kind);

/// Texts that such fills need, by path: the contents of files. Throws JobError for one that cannot be read, or is too
/// large.
SourceTree data_sources(const Job& job);

/// The path of the device text that holds a file's bytes, and the C++ name of the functor that gives its elements.
std::string file_source(const Job& job, const std::string& file);
std::string file_functor(const Job& job, const std::string& file, ElementType type);

/// The bytes of a file that the job names, its path beside the job.
Bytes file_bytes(const std::filesystem::path& job_file, const std::string& file);

}  // namespace warpwright::job
