// Stores and replays counterexamples.
#include "conformance/suite/counterexamples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/core/text.hpp"
#include "kernels/job/job.hpp"
#include "kernels/system/stop.hpp"

namespace warpwright::conformance {
namespace {

bool has_pattern(const Catalogue& catalogue, const std::string& name) {
  const auto& patterns = catalogue.patterns();
  return std::ranges::find(patterns, name, &Pattern::name) != patterns.end();
}

}  // namespace

std::string repro_hint(const Case& test) {
  return "; reproduce: " + repro_command(test.kernel->file, repro_line(test));
}

void store_counterexample(db::Store& store, const Case& test, const std::string& detail) {
  store.saw_counterexample({.pattern = test.kernel->pattern,
                            .kernel = test.kernel->name,
                            .repro = repro_line(test),
                            .detail = detail,
                            .file = test.kernel->file});
}

std::vector<Replay> replay_counterexamples(db::Store& store, const Catalogue& catalogue, const std::string& glob,
                                           const std::string& target,
                                           const std::function<CaseResult(const Case&)>& check,
                                           const std::function<void(const std::string& line)>& say,
                                           const std::atomic<bool>& stop, std::mutex* store_mutex) {
  std::vector<Replay> replays;
  const auto with_store = [&](const auto& use) {
    const auto lock = store_mutex != nullptr ? std::unique_lock(*store_mutex) : std::unique_lock<std::mutex>();
    return use();
  };
  const auto obsolete = [&](const db::Counterexample& stored, const std::string& why) {
    say(fmt::format("stored counterexample not replayed ({}): {}", why, stored.repro));
    with_store([&] { store.obsolete_counterexample(stored.repro, why); });
    replays.push_back({.stored = stored, .result = {}, .obsolete = why});
  };
  bool ended = false;
  for (const auto& stored : with_store([&] { return store.counterexamples(glob); })) {
    if (stored.pattern.starts_with(job::kPrefix) && !has_pattern(catalogue, stored.pattern)) {
      say(fmt::format("stored counterexample of a job that is not given here, not replayed: {}",
                      repro_command(stored.file, stored.repro)));
      continue;
    }
    Case test;
    try {
      test = parse_repro(catalogue, stored.repro);
    } catch (const std::invalid_argument& gone) {
      obsolete(stored, gone.what());
      continue;
    }
    if (test.target != target && !(is_host(test.target) && is_host(target))) continue;
    CaseResult result;
    try {
      ended = ended || stop;
      if (!ended) result = check(test);
    } catch (const Stopped&) {
      ended = true;
    }
    if (ended) {
      replays.push_back({.stored = stored, .result = {}, .obsolete = {}});
      continue;
    }
    if (is_refused(result.verdict) || result.verdict == Verdict::not_modelled) {
      obsolete(stored, fmt::format("{}: {}", word_of(result.verdict), result.detail));
      continue;
    }
    if (result.is_right()) say(fmt::format("stored counterexample passes now: {}", stored.repro));
    with_store([&] {
      if (result.is_right())
        store.fixed_counterexample(stored.repro);
      else
        // Keeps the stored line, because fields that it lacks are filled in when it is read.
        store.saw_counterexample({.pattern = stored.pattern,
                                  .kernel = stored.kernel,
                                  .repro = stored.repro,
                                  .detail = result.detail,
                                  .file = test.kernel->file});
    });
    replays.push_back({.stored = stored, .result = result, .test = test, .obsolete = {}});
  }
  return replays;
}

}  // namespace warpwright::conformance
