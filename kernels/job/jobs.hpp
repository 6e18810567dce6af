// The jobs of one command: the catalogue with their kernels, and what selects them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/catalogue.hpp"

namespace warpwright::job {

/// Whether a word of a command line names a job file: it ends in ".json".
bool is_job_file(std::string_view word);

class Jobs {
 public:
  /// `words` are globs of kernels, and job files, which end in ".json". Throws JobError with the file and line of what
  /// is wrong with a job, or with its text.
  Jobs(const Catalogue& known, const std::vector<std::string>& words);

  /// The known one, which must live on, with the jobs beside its patterns.
  const Catalogue& catalogue() const { return all_ ? *all_ : known_; }
  /// The words, with its name in the place of every job file.
  const std::vector<std::string>& globs() const { return globs_; }

 private:
  const Catalogue& known_;
  std::optional<Catalogue> all_;
  std::vector<std::string> globs_;
};

}  // namespace warpwright::job
