// A first job file for a .cu file: what its text says, and what it could not know.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright::job {

/// The text of a job for the first kernel that the file's host code launches, else its first one. Pointers become
/// buffers, whole numbers extents, macros with numbers params; comments mark what is guessed. Paths are those beside
/// `output`. Throws JobError where the file has no kernel or cannot be read.
std::string draft_of(const std::filesystem::path& source, const std::filesystem::path& output);

}  // namespace warpwright::job
