// The data in a job's buffers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/job/lowering.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/fill.hpp"

namespace warpwright::job {

/// The name of the data set that the job file itself describes.
inline constexpr const char* kGiven = "given";

/// One fill for each in and inout buffer, in order. A buffer whose data has `always` keeps it for every kind of input.
std::vector<Fill> fills_of(const Lowering& lowering, const Problem& problem, const std::string& kind);

/// The sources for fills from files: the contents of each file, by path. Throws JobError if a file cannot be read or is
/// too large.
SourceTree data_sources(const Job& job);

/// The sources of functions for data, by path.
SourceTree data_functions(const Lowering& lowering);

/// Reads the texts of functions that fill buffers. Throws std::runtime_error.
void read_data_functions(Lowering& lowering);

/// The path of the source with a file's bytes, and the C++ name of the functor for its elements.
std::string file_source(const Job& job, const std::string& file);
std::string file_functor(const Job& job, const std::string& file, ElementType type);

/// The bytes of a file that the job names; the path is relative to the job file.
Bytes file_bytes(const std::filesystem::path& job_file, const std::string& file);

}  // namespace warpwright::job
