// The job files of a command: the catalogue with their kernels, and the names that select them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/catalogue.hpp"

namespace warpwright::job {

/// Whether a word on the command line names a job file, that is, ends in ".json".
bool is_job_file(std::string_view word);

/// The job files in a folder, sorted: files ".json" with two or more of the members that every job has.
std::vector<std::string> jobs_in(const std::filesystem::path& folder);

/// A job file that is wrong, or whose source is.
struct RefusedJob {
  std::string file;
  std::string why;  ///< mostly with file and line: "blur.json:12: WHAT IS WRONG: WHAT TO DO"
};

class Jobs {
 public:
  /// What becomes of the other jobs if one is wrong.
  enum class IfOneIsWrong { refuse_all, keep_others };

  /// `words` are globs of kernels, and job files. Throws JobError with the file and line if a job or its source is
  /// wrong; to keep others, only if nothing else is named, or nothing else is right.
  Jobs(const Catalogue& known, const std::vector<std::string>& words, IfOneIsWrong what = IfOneIsWrong::refuse_all);

  /// The given catalogue, which must outlive this object, with the patterns and kernels of the jobs.
  const Catalogue& catalogue() const { return all_ ? *all_ : known_; }
  /// The words, with each job file replaced by its kernel's name.
  const std::vector<std::string>& globs() const { return globs_; }
  /// The job files that are wrong, if others are kept.
  const std::vector<RefusedJob>& refused() const { return refused_; }

 private:
  const Catalogue& known_;
  std::optional<Catalogue> all_;
  std::vector<std::string> globs_;
  std::vector<RefusedJob> refused_;
};

}  // namespace warpwright::job
