// A first job file for a .cu file: what its text says, and what it could not know.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::job {

struct Drafted {
  std::string text;
  std::string kernel;
  std::vector<std::string> others = {};   ///< further kernels of the file, in its order
  std::vector<std::string> missing = {};  ///< headers that were not found
};

/// The text of a job for that kernel; without a name for the first one that the file's host code launches, else its
/// first one. Pointers become buffers, whole numbers extents, macros with numbers and what launches leave open params;
/// the launch is that of the host code, followed through its variables. Another kernel that takes the same, launched
/// before it, is the oracle. Comments mark what is guessed. Headers are looked for in `include` too.
/// Paths are those beside `output`. Throws JobError where the
/// file has no such kernel or cannot be read.
Drafted draft_of(const std::filesystem::path& source, const std::filesystem::path& output,
                 const std::string& kernel = {}, const std::vector<std::filesystem::path>& include = {});

}  // namespace warpwright::job
