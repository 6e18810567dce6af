// Reads recorded spaces, and replays strategies on them.
#include "tuner/search/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernels/system/child_process.hpp"
#include "tuner/search/search_support.hpp"

namespace warpwright::tuner {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string read_whole(const std::string& path) {
  if (!std::ifstream(path).good()) throw std::runtime_error(fmt::format("{} cannot be read", path));
  constexpr std::chrono::seconds kLimit{120};
  simulator::ProcessResult unpacked = simulator::run_process({"gzip", "-dcf", "--", path}, "", kLimit);
  if (!unpacked.ok()) throw std::runtime_error(fmt::format("{} cannot be unpacked: {}", path, unpacked.output));
  return std::move(unpacked.output);
}

double recorded_cost(const nlohmann::json& record) {
  const auto time = record.find("time");
  if (time == record.end() || !time->is_number()) return infinity;
  const double ms = time->get<double>();
  return ms > 0 && ms < 1e19 ? ms : infinity;
}

/// What one evaluation took, as the tuner that recorded it says.
double recorded_seconds(const nlohmann::json& record) {
  double ms = 0;
  for (const char* part : {"compile_time", "verification_time", "benchmark_time", "framework_time", "strategy_time"}) {
    const auto found = record.find(part);
    if (found != record.end() && found->is_number()) ms += found->get<double>();
  }
  return ms / 1000;
}

/// The values of an axis; empty unless all are integers.
std::vector<std::int64_t> numbers(const std::vector<nlohmann::json>& values) {
  const auto is_number = [](const nlohmann::json& value) { return value.is_number_integer(); };
  if (!std::ranges::all_of(values, is_number)) return {};
  return {values.begin(), values.end()};
}

RecordedSpace parse(const nlohmann::json& json) {
  RecordedSpace recorded;
  recorded.axes = json.at("tune_params_keys").get<std::vector<std::string>>();
  std::vector<std::vector<nlohmann::json>> values;
  for (const std::string& name : recorded.axes) {
    values.push_back(json.at("tune_params").at(name).get<std::vector<nlohmann::json>>());
    recorded.space.axis_sizes.push_back(static_cast<int>(values.back().size()));
    recorded.space.axis_values.push_back(numbers(values.back()));
    std::vector<std::string>& texts = recorded.values.emplace_back();
    for (const nlohmann::json& value : values.back()) texts.push_back(value.dump());
  }
  for (const auto& [key, record] : json.at("cache").items()) {
    std::vector<int> point;
    for (std::size_t axis = 0; axis < values.size(); ++axis) {
      const auto found = std::find(values[axis].begin(), values[axis].end(), record.at(recorded.axes[axis]));
      if (found == values[axis].end()) throw std::runtime_error(fmt::format("{}: a value off its axis", key));
      point.push_back(static_cast<int>(found - values[axis].begin()));
    }
    recorded.space.points.push_back(std::move(point));
    recorded.costs.push_back(recorded_cost(record));
    recorded.seconds.push_back(recorded_seconds(record));
  }
  return recorded;
}

std::size_t rounded(double value) {
  return static_cast<std::size_t>(std::llround(value));
}

}  // namespace

std::size_t RecordedSpace::axis(const std::string& name) const {
  const auto found = std::find(axes.begin(), axes.end(), name);
  if (found == axes.end()) throw std::out_of_range(fmt::format("no axis {} in the recorded space", name));
  return static_cast<std::size_t>(found - axes.begin());
}

RecordedSpace read_kernel_tuner_cache(const std::string& path) {
  const std::string text = read_whole(path);
  const auto without_samples = [](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    return !(event == nlohmann::json::parse_event_t::key && parsed == "times");
  };
  try {
    return parse(nlohmann::json::parse(text, without_samples));
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("{} is no Kernel Tuner cache: {}", path, error.what()));
  }
}

std::vector<std::size_t> best_elsewhere(const RecordedSpace& recorded, std::span<const RecordedSpace* const> others) {
  std::vector<std::size_t> found;
  for (const RecordedSpace* other : others) {
    if (other->axes != recorded.axes) continue;
    const auto best = static_cast<std::size_t>(std::ranges::min_element(other->costs) - other->costs.begin());
    std::vector<int> point;
    for (std::size_t axis = 0; axis < recorded.axes.size(); ++axis) {
      const std::string& value = other->values[axis][static_cast<std::size_t>(other->space.points[best][axis])];
      point.push_back(static_cast<int>(std::ranges::find(recorded.values[axis], value) -
                                       recorded.values[axis].begin()));  // the axis' size if it has no such value
    }
    const auto same = std::ranges::find(recorded.space.points, point);
    if (same == recorded.space.points.end()) continue;
    const auto index = static_cast<std::size_t>(same - recorded.space.points.begin());
    if (std::ranges::find(found, index) == found.end()) found.push_back(index);
  }
  return found;
}

ReplayScore::ReplayScore(std::vector<double> costs) : ascending_(std::move(costs)) {
  std::erase_if(ascending_, [](double cost) { return !std::isfinite(cost); });
  if (ascending_.size() < 2) throw std::invalid_argument("a recorded space with fewer than two valid points");
  std::sort(ascending_.begin(), ascending_.end());
}

double ReplayScore::median() const {
  const std::size_t half = ascending_.size() / 2;
  return ascending_.size() % 2 == 1 ? ascending_[half] : (ascending_[half - 1] + ascending_[half]) / 2;
}

std::size_t ReplayScore::cutoff(double p) const {
  const double target = optimum() + (median() - optimum()) * (1 - p);
  const auto reached = std::upper_bound(ascending_.begin(), ascending_.end(), target) - ascending_.begin();
  const double worse = static_cast<double>(valid()) - static_cast<double>(reached);
  return static_cast<std::size_t>(std::ceil(worse / (static_cast<double>(valid()) + 1 - worse)));
}

double ReplayScore::baseline(std::size_t evaluations) const {
  const double m = static_cast<double>(evaluations);
  const std::size_t from_worst = rounded(m * (static_cast<double>(valid()) + 1) / (m + 1));
  return ascending_[valid() - 1 - std::min(valid() - 1, from_worst)];
}

double ReplayScore::score(const std::vector<std::vector<double>>& runs) const {
  if (runs.empty()) throw std::invalid_argument("the score of no runs");
  const std::size_t first = cutoff(0.01);
  const std::size_t last = std::max(first, cutoff(0.95));
  std::vector<std::size_t> best(runs.size(), valid() - 1);
  double sum = 0;
  for (std::size_t m = 1; m <= last; ++m) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (m > runs[r].size() || !std::isfinite(runs[r][m - 1])) continue;
      const auto rank = std::lower_bound(ascending_.begin(), ascending_.end(), runs[r][m - 1]) - ascending_.begin();
      best[r] = std::min(best[r], static_cast<std::size_t>(rank));
    }
    if (m < first) continue;
    std::vector<std::size_t> ranks = best;
    std::sort(ranks.begin(), ranks.end());
    const std::size_t half = ranks.size() / 2;
    const double middle = ranks.size() % 2 == 1 ? static_cast<double>(ranks[half])
                                                : static_cast<double>(ranks[half - 1] + ranks[half]) / 2;
    sum += (baseline(m) - ascending_[rounded(middle)]) / (baseline(m) - optimum());
  }
  return sum / static_cast<double>(last - first + 1);
}

std::vector<std::size_t> replay(const RecordedSpace& recorded, const StrategyMaker& maker, std::uint64_t seed,
                                std::size_t evaluations, std::size_t outstanding, std::span<const std::size_t> known) {
  SearchSpace space = recorded.space;
  space.default_point = (seed + 1) * 7919 % space.points.size();
  const std::unique_ptr<Strategy> strategy = maker(space, seed);
  Random random(~seed);
  std::vector<std::size_t> first, evaluated;  // `first`: in reverse
  if (!known.empty()) {
    std::ranges::reverse_copy(known, std::back_inserter(first));
    std::erase(first, space.default_point);
    first.push_back(space.default_point);
  }
  struct Waiting {
    std::size_t point;
    bool is_early;  // the strategy has not asked for it yet
  };
  std::vector<Waiting> waiting;
  while (evaluated.size() < evaluations) {
    for (; waiting.size() < outstanding && !first.empty(); first.pop_back()) waiting.push_back({first.back(), true});
    while (waiting.size() < outstanding) {
      const std::vector<std::size_t> asked = strategy->ask(outstanding - waiting.size());
      if (asked.empty()) break;
      for (const std::size_t point : asked) {
        const auto same = std::ranges::find(waiting, point, &Waiting::point);
        if (same == waiting.end())
          waiting.push_back({point, false});
        else
          same->is_early = false;
      }
    }
    if (waiting.empty()) break;
    std::swap(waiting[random.below(waiting.size())], waiting.back());
    const auto [point, is_early] = waiting.back();
    waiting.pop_back();
    evaluated.push_back(point);
    if (is_early)
      strategy->tell_known(point, recorded.costs[point]);
    else
      strategy->tell(point, recorded.costs[point]);
  }
  return evaluated;
}

double replay_score(const RecordedSpace& recorded, const StrategyMaker& maker, int repeats, std::size_t outstanding) {
  const ReplayScore scoring(recorded.costs);
  std::vector<std::vector<double>> runs;
  for (int r = 0; r < repeats; ++r) {
    const auto seed = static_cast<std::uint64_t>(r);
    std::vector<double>& costs = runs.emplace_back();
    for (const std::size_t point : replay(recorded, maker, seed, scoring.cutoff(0.95), outstanding))
      costs.push_back(recorded.costs[point]);
  }
  return scoring.score(runs);
}

}  // namespace warpwright::tuner
