// Reads the job files that a command names.
#include "kernels/job/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "kernels/job/lower.hpp"

namespace warpwright::job {

bool is_job_file(std::string_view word) {
  return word.ends_with(".json");
}

std::vector<std::string> jobs_in(const std::filesystem::path& folder) {
  std::vector<std::string> jobs;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (!is_job_file(entry.path().filename().string()) || !entry.is_regular_file(error)) continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    // Not parsed: a mistake in a job is reported when the job is read.
    constexpr std::array<const char*, 4> members{"\"extents\"", "\"buffers\"", "\"steps\"", "\"shapes\""};
    if (std::ranges::all_of(members, [&](const char* member) { return text.find(member) != std::string::npos; }))
      jobs.push_back(entry.path().lexically_relative(folder).string());
  }
  std::ranges::sort(jobs);
  return jobs;
}

Jobs::Jobs(const Catalogue& known, const std::vector<std::string>& words) : known_(known) {
  std::vector<Pattern> patterns;
  std::vector<Kernel> kernels;
  std::vector<std::string> files;  // of the patterns
  SourceTree sources;
  for (const std::string& word : words) {
    if (word.ends_with(".cu"))
      throw JobError(
          fmt::format("{0} is a CUDA file, and a job file is needed. A job file (.json) says how to launch the kernel, "
                      "on which buffers and sizes. Write one with `tune init {0}`, and give {1}.json here",
                      word, word.substr(0, word.size() - 3)));
    if (!is_job_file(word)) {
      globs_.push_back(word);
      continue;
    }
    Lowered lowered = lower(read_job(word));
    const std::string name = lowered.pattern.name;
    if (const auto other = std::ranges::find(patterns, name, &Pattern::name); other != patterns.end())
      throw JobError(fmt::format("{} and {} both have the name {}: give one of them another \"name\"",
                                 files.at(static_cast<std::size_t>(other - patterns.begin())), word, name));
    globs_.push_back(name);
    files.push_back(word);
    patterns.push_back(std::move(lowered.pattern));
    kernels.push_back(std::move(lowered.kernel));
    sources.merge(lowered.sources);
  }
  if (!patterns.empty()) all_ = known.with(patterns, kernels, sources);
}

}  // namespace warpwright::job
