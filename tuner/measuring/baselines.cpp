// Searches the knobs of libraries and times them together with the winner.
#include "tuner/measuring/baselines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "kernels/core/statistics.hpp"
#include "tuner/cost_model/speed_of_light.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kSearchSamples = 5;
constexpr double kBesideRunUs = 1000;  ///< for restoring buffers and similar work
/// The rounds' share of the time for a library's knobs, and the limit in seconds.
constexpr double kForRounds = 0.2, kMostForRounds = 4;
constexpr std::size_t kFewKnobs = 2;

double rounds_seconds(double us) {
  return (us + kBesideRunUs) * kRounds / 1e6;
}

/// One choice of knobs of one library, and its result.
struct Entry {
  worker::BaselineInfo library;
  worker::KnobsInfo knobs;
  gpu::Candidate candidate;
  gpu::Outcome outcome;
  double searched_us = std::numeric_limits<double>::infinity();

  std::string name() const { return library.name() + (knobs.text.empty() ? "" : " " + knobs.text); }
};

class BaselineComparison {
 public:
  BaselineComparison(MeasuringGpu& gpu, const BaselineTask& task, TrialWriter& writer, const std::atomic<bool>& stop)
      : gpu_(gpu), task_(task), writer_(writer), stop_(stop) {}

  std::vector<std::string> run() {
    std::vector<worker::BaselineInfo> libraries = gpu_.callables(task_.problem);
    // Libraries with next to nothing to search, such as the vendors', have their rounds before others are searched.
    const auto searched =
        std::stable_partition(libraries.begin(), libraries.end(),
                              [](const worker::BaselineInfo& library) { return library.knobs.size() <= kFewKnobs; });
    const std::span<const worker::BaselineInfo> all = libraries;
    const auto few = static_cast<std::size_t>(searched - libraries.begin());
    compare_with(all.first(few), all.size() - few);
    compare_with(all.subspan(few), 0);
    return notes_;
  }

 private:
  /// `later` libraries will still need time afterwards.
  void compare_with(std::span<const worker::BaselineInfo> libraries, std::size_t later) {
    std::vector<Entry> on_device;
    std::vector<Entry> on_host;
    for (std::size_t i = 0; i < libraries.size() && !stop_; ++i) {
      const worker::BaselineInfo& library = libraries[i];
      if (!library.missing.empty())
        leave_out(library.name(), library.missing);
      else if (is_over(task_.end))
        leave_out(library.name(), "the budget was over");
      else if (!is_compared(library))
        search(library, share_of(libraries.size() - i + later), library.synchronises ? on_host : on_device);
    }
    compare(std::move(on_device));
    compare(std::move(on_host));
  }

  bool is_compared(const worker::BaselineInfo& library) {
    return writer_.with_store([&](Recorder& recorder) {
      const auto baselines = recorder.store().baselines();
      return std::ranges::any_of(recorder.store().comparisons(), [&](const db::Comparison& comparison) {
        if (comparison.trial_id != task_.winner_trial) return false;
        const auto row = std::ranges::find(baselines, comparison.baseline_id, &db::Baseline::id);
        return row != baselines.end() && row->implementation == library.implementation && row->idiom == library.idiom &&
               row->version == library.version;
      });
    });
  }

  void leave_out(const std::string& name, const std::string& why) {
    notes_.push_back(fmt::format("{} is left out: {}", name, why));
  }

  /// The end of one library's search, if `count` libraries, and then the rounds, still need time.
  Budget::End share_of(std::size_t count) const {
    if (!task_.end) return {};
    const Budget::Clock::time_point now = Budget::Clock::now();
    return leaving(now + (*task_.end - now) / static_cast<std::int64_t>(count), now, kForRounds, kMostForRounds);
  }

  /// Adds the fastest correct choice and the default one. A default that is not correct is stored with its verdict, and
  /// so is the first of the other choices that the library accepts and then answers wrongly.
  void search(const worker::BaselineInfo& library, Budget::End end, std::vector<Entry>& found) {
    std::optional<Entry> fastest;
    std::optional<Entry> standard;
    std::vector<Entry> wrong;
    std::size_t tries = 0;
    for (const worker::KnobsInfo& knobs : library.knobs) {
      if (stop_) return;
      if (!knobs.is_default && is_over(end)) continue;
      ++tries;
      const Entry entry = tried(library, knobs);
      if (task_.now)
        task_.now(fmt::format("comparing with {} ({} of {})", library.name(), tries, library.knobs.size()));
      if (knobs.is_default)
        standard = entry;
      else if (entry.outcome.verdict != Verdict::passed && entry.outcome.verdict != Verdict::not_launchable)
        wrong.push_back(entry);
      if (entry.outcome.verdict == Verdict::passed && (!fastest || entry.searched_us < fastest->searched_us))
        fastest = entry;
    }
    if (!fastest && standard && standard->outcome.verdict == Verdict::not_launchable)
      return leave_out(library.name(), standard->outcome.detail);
    if (standard && standard->outcome.verdict != Verdict::passed) store_wrong(*standard);
    if (!wrong.empty()) store_wrong(wrong.front());
    if (wrong.size() > 1)
      notes_.push_back(
          fmt::format("{} answered wrongly with {} further choices of its knobs", library.name(), wrong.size() - 1));
    if (standard && standard->outcome.verdict == Verdict::passed) found.push_back(*standard);
    if (fastest && !fastest->knobs.is_default) found.push_back(*fastest);
    if (tries < library.knobs.size())
      notes_.push_back(
          fmt::format("{} was tried with {} of its {} choices of knobs, as the budget was over: "
                      "--remeasure without it tries all",
                      library.name(), tries, library.knobs.size()));
    if (!fastest) notes_.push_back(fmt::format("{} gave no right answer with any of its knobs", library.name()));
  }

  Entry tried(const worker::BaselineInfo& library, const worker::KnobsInfo& knobs) const {
    Entry entry{
        .library = library,
        .knobs = knobs,
        .candidate = {.plan = {},
                      .built = {},
                      .bounds = library.has_oracle ? task_.bounds(knobs.depth, library.observation)
                                                   : std::vector<std::vector<Bound>>(),
                      .observation = library.observation,
                      .callable =
                          gpu::CallableChoice{.name = library.name(), .knobs = knobs.knobs, .problem = task_.problem}},
        .outcome = {}};
    // First the trial: it says of knobs that the library does not accept on this board why it does not.
    const worker::TrialReply reply = gpu_.trial(entry.candidate, true, {.count = kSearchSamples});
    entry.outcome = reply.outcome;
    if (entry.outcome.verdict != Verdict::passed || reply.samples.empty()) return entry;
    if (const std::string broken =
            library.laws.empty() ? "" : gpu_.broken_law(task_.problem, library, knobs, task_.seed);
        !broken.empty()) {
      entry.outcome = {.verdict = Verdict::failed, .detail = broken};
      return entry;
    }
    entry.searched_us = median(times_of(reply.samples));
    if (impossible(entry.searched_us, task_.speed_of_light_us, kEventResolutionUs)) {
      entry.outcome.verdict = Verdict::mistrusted;
      entry.outcome.detail = "faster than the memory or the arithmetic of this board allows";
    }
    return entry;
  }

  /// Measures as many as there is time for, in alternating rounds with the winner. If one fails, it drops out, and the
  /// others start again.
  void compare(std::vector<Entry> entries) {
    double seconds = rounds_seconds(task_.winner_us);
    std::erase_if(entries, [&](const Entry& entry) {
      const double own = rounds_seconds(entry.searched_us);
      const bool fits = is_in_time(task_.end, seconds + own);
      if (fits) seconds += own;
      if (!fits) leave_out(entry.name(), "no time was left for its rounds");
      return !fits;
    });
    while (!entries.empty() && !stop_) {
      std::vector<gpu::Candidate> candidates{task_.winner};
      for (const Entry& entry : entries) candidates.push_back(entry.candidate);
      const worker::RoundsReply reply = blamed_rounds(gpu_, candidates, kRounds, task_.seed);
      if (reply.outcomes.front().verdict != Verdict::passed) {
        notes_.push_back(fmt::format("the comparison ended: our winner {}: {}", word_of(reply.outcomes.front().verdict),
                                     reply.outcomes.front().detail));
        return;
      }
      std::vector<Entry> right;
      for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i].outcome.verdict = reply.outcomes[i + 1].verdict;
        entries[i].outcome.detail = reply.outcomes[i + 1].detail;
        if (entries[i].outcome.verdict == Verdict::passed)
          right.push_back(entries[i]);
        else
          store_wrong(entries[i]);
      }
      if (right.size() == entries.size()) return store(entries, reply);
      entries = std::move(right);
    }
  }

  db::Baseline row(Recorder& recorder, const Entry& entry) const {
    db::Baseline baseline = recorder.baseline(task_.problem);
    baseline.implementation = entry.library.implementation;
    baseline.idiom = entry.library.idiom;
    baseline.version = entry.library.version;
    baseline.knobs = entry.knobs.text;
    baseline.is_default = entry.knobs.is_default;
    baseline.verdict = word_of(entry.outcome.verdict);
    baseline.detail = entry.outcome.detail;
    baseline.error_ratio = entry.outcome.error_ratio;
    return baseline;
  }

  void store_wrong(const Entry& entry) {
    writer_.with_store([&](Recorder& recorder) { recorder.store().add_baseline(row(recorder, entry)); });
    notes_.push_back(fmt::format("{} {}: {}", entry.name(), word_of(entry.outcome.verdict), entry.outcome.detail));
  }

  void store(const std::vector<Entry>& entries, const worker::RoundsReply& reply) {
    const auto column = [&](std::size_t place) {
      std::vector<double> times;
      for (const auto& round : reply.samples) times.push_back(round.at(place).microseconds);
      return times;
    };
    const std::vector<double> ours = column(0);
    writer_.with_store([&](Recorder& recorder) {
      recorder.store().transaction([&] {
        for (std::size_t i = 0; i < entries.size(); ++i) {
          const std::vector<double> theirs = column(i + 1);
          const Interval interval = median_interval(theirs);
          db::Baseline baseline = row(recorder, entries[i]);
          baseline.mode = reply.outcomes.at(i + 1).mode;
          baseline.median_us = median(theirs);
          baseline.low_us = interval.low;
          baseline.high_us = interval.high;
          baseline.samples_us = theirs;
          const PairedRatio ratio = paired_ratio(theirs, ours);
          recorder.store().add_comparison({.trial_id = task_.winner_trial,
                                           .baseline_id = recorder.store().add_baseline(baseline),
                                           .session_id = baseline.session_id,
                                           .rounds = static_cast<std::int64_t>(reply.samples.size()),
                                           .ratio = ratio.median,
                                           .low = ratio.interval.low,
                                           .high = ratio.interval.high});
        }
      });
    });
  }

  MeasuringGpu& gpu_;
  const BaselineTask& task_;
  TrialWriter& writer_;
  const std::atomic<bool>& stop_;
  std::vector<std::string> notes_;
};

}  // namespace

std::string untimed_baselines(const std::filesystem::path& program) {
  worker::Process process(program);
  const auto held = process.call(worker::ListCallables(), std::chrono::seconds(30));
  if (!held.ok())
    return fmt::format(
        "The baselines were compiled and not timed ({} does not start here: {}; with Kokkos it needs a GPU driver)",
        program.filename().string(), held.detail);
  std::vector<std::string> names;
  for (const worker::BaselineInfo& library : held.reply) names.push_back(library.pattern + ": " + library.name());
  return fmt::format("The baselines were compiled and not timed ({}).", fmt::join(names, ", "));
}

std::vector<std::string> compare_with_baselines(MeasuringGpu& gpu, const BaselineTask& task, TrialWriter& writer,
                                                const std::atomic<bool>& stop) {
  return BaselineComparison(gpu, task, writer, stop).run();
}

}  // namespace warpwright::tuner
