// Reads the job files that a command names.
#include "kernels/job/jobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <exception>
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
    // Not parsed, and a member may be missing or misspelt: a mistake in a job is reported when the job is read.
    constexpr std::array<const char*, 4> members{"\"extents\"", "\"buffers\"", "\"steps\"", "\"shapes\""};
    const auto found =
        std::ranges::count_if(members, [&](const char* member) { return text.find(member) != std::string::npos; });
    if (2 * found >= static_cast<std::ptrdiff_t>(members.size()))
      jobs.push_back(entry.path().lexically_relative(folder).string());
  }
  std::ranges::sort(jobs);
  return jobs;
}

Jobs::Jobs(const Catalogue& known, const std::vector<std::string>& words, IfOneIsWrong what) : known_(known) {
  std::vector<Pattern> patterns;
  std::vector<Kernel> kernels;
  std::vector<std::string> files;  // of the patterns
  SourceTree sources;
  const auto add = [&](const std::string& file) {
    Lowered lowered = lower(read_job(file));
    const std::string name = lowered.pattern.name;
    if (const auto other = std::ranges::find(patterns, name, &Pattern::name); other != patterns.end())
      throw JobError(fmt::format("{} and {} both have the name {}: give one of them another \"name\"",
                                 files.at(static_cast<std::size_t>(other - patterns.begin())), file, name));
    globs_.push_back(name);
    files.push_back(file);
    patterns.push_back(std::move(lowered.pattern));
    kernels.push_back(std::move(lowered.kernel));
    sources.merge(lowered.sources);
  };
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
    try {
      add(word);
    } catch (const std::exception& error) {
      if (what == IfOneIsWrong::refuse_all || words.size() == 1) throw;
      refused_.push_back({.file = word, .why = error.what()});
    }
  }
  if (globs_.empty() && !refused_.empty()) {
    std::vector<std::string> all;
    for (const RefusedJob& one : refused_) all.push_back(one.why);
    throw JobError(fmt::format("{}", fmt::join(all, "\n")));
  }
  if (!patterns.empty()) all_ = known.with(patterns, kernels, sources);
}

}  // namespace warpwright::job
