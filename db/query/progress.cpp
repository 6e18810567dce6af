// Progress as JSON: [{"kernel", "cases", "verdict"}].
#include "db/query/progress.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {

std::vector<KernelProgress> progress_of(const ConformanceRun& run) {
  std::vector<KernelProgress> found;
  const auto list = nlohmann::json::parse(run.progress, nullptr, false);
  if (!list.is_array()) return found;
  for (const auto& one : list) {
    if (!one.is_object()) continue;
    const auto kernel = one.find("kernel"), cases = one.find("cases"), verdict = one.find("verdict");
    if (kernel == one.end() || !kernel->is_string() || cases == one.end() || !cases->is_number_integer()) continue;
    const bool has_verdict = verdict != one.end() && verdict->is_string();
    found.push_back({.kernel = *kernel, .cases = *cases, .verdict = has_verdict ? *verdict : ""});
    const auto notes = one.find("notes");
    if (notes == one.end() || !notes->is_array()) continue;
    for (const auto& note : *notes)
      if (note.is_string()) found.back().notes.push_back(note);
  }
  return found;
}

std::string progress_text(const std::vector<KernelProgress>& progress) {
  nlohmann::json list = nlohmann::json::array();
  for (const KernelProgress& one : progress) {
    list.push_back({{"kernel", one.kernel}, {"cases", one.cases}, {"verdict", one.verdict}});
    if (!one.notes.empty()) list.back()["notes"] = one.notes;
  }
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<KernelProgress> unfinished(const ConformanceRun& run) {
  if (run.ended_how == ending::complete) return {};
  std::vector<KernelProgress> found = progress_of(run);
  std::ranges::stable_sort(found, {}, &KernelProgress::cases);
  return found;
}

}  // namespace warpwright::db
