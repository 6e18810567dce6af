// Exports in a format given by its name.
#include <fmt/core.h>

#include <algorithm>

#include "db/exchange/export.hpp"
#include "db/exchange/recording.hpp"
#include "kernels/core/text.hpp"

namespace warpwright::db {
namespace {

Export recorded(const Store& store, const std::string& format, const Filter& filter) {
  const std::optional<Recording> recording = recording_of(store, filter);
  if (!recording) return {};
  Export made{.text = format == "t4" ? to_t4(*recording) : to_kernel_tuner(*recording),
              .what = counted(std::ssize(recording->results), "configuration")};
  for (const Recorded& one : recording->results) made.trials.push_back(one.trial_id);
  if (recording->other_modes > 0)
    made.notes.push_back(fmt::format("{} left out: not of the mode '{}', and times of several modes are not compared.",
                                     counted(static_cast<std::int64_t>(recording->other_modes), "trial"),
                                     printable(recording->mode)));
  return made;
}

}  // namespace

const std::vector<std::string>& export_formats() {
  static const std::vector<std::string> formats = {"json", "csv", "hpp", "defines", "t4", "kernel-tuner"};
  return formats;
}

Export export_as(const Store& store, const std::string& format, const Filter& filter, Robust robust) {
  if (format == "t4" || format == "kernel-tuner") return recorded(store, format, filter);
  BestQuery query = best_query(filter);
  query.robust = robust;
  query.per_board = query.board.empty() && (format == "json" || format == "csv");
  const std::vector<Best> settings = exported(store, query);
  if (settings.empty()) return {};
  Export made{.text = format == "json"      ? to_json(settings)
                      : format == "csv"     ? to_csv(settings)
                      : format == "defines" ? to_defines(store, settings)
                                            : to_header(settings),
              .what = counted(std::ssize(settings), "configuration")};
  for (const Best& setting : settings) made.trials.push_back(setting.winner.trial.id);
  const auto own = std::ranges::count_if(settings, [](const Best& best) { return is_users_own(best.winner); });
  if (format == "hpp" && own > 0)
    made.notes.push_back(fmt::format("{} of kernels of your own left out of the header: --format defines has them.",
                                     counted(own, "configuration")));
  return made;
}

}  // namespace warpwright::db
