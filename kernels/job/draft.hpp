// Drafts a first job file for a .cu file, with questions about what the source does not say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::job {

struct Drafted {
  std::string text;
  std::string kernel;
  std::vector<std::string> others = {};   ///< other kernels in the file, in their order
  std::vector<std::string> missing = {};  ///< headers that were not found
  /// What to write instead of each plain `#define` that sets a param, since it would override an exported header.
  std::vector<std::string> unguarded = {};
};

/// Drafts a job for that kernel. Without a name, it is the first one that the file's host code launches, or else the
/// first one in the file. Pointers become buffers, integers become extents, and macros and constants with numbers
/// become params. Numbers that a launch leaves open become params too. The launch is that of the host code; its
/// variables, allocations and callers are followed. Another kernel with the same parameters that is launched before it
/// becomes the oracle. Comments mark guesses, and "???" stands where nothing is known. Headers are also searched in
/// `include`. `schema` is the file that editors check jobs with. Paths in the job are relative to the folder of
/// `output`. Throws JobError if the file has no such kernel or cannot be read.
Drafted draft_of(const std::filesystem::path& source, const std::filesystem::path& output,
                 const std::string& kernel = {}, const std::vector<std::filesystem::path>& include = {},
                 const std::filesystem::path& schema = {});

}  // namespace warpwright::job
