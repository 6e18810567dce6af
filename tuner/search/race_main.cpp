// The program `race_strategies`: compares search strategies on recorded spaces, for those who develop them.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "kernels/system/command_line.hpp"
#include "kernels/system/nearest.hpp"
#include "tuner/search/race.hpp"

namespace {

using namespace warpwright::tuner;
using Rows = std::vector<std::vector<std::string>>;

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> strategies{"random", "local", "gaussian_process"};
  int seeds = 25;
  int first_seed = 0;
  int outstanding = 1;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::string csv;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("files", options.files, "Recorded spaces: cache files of Kernel Tuner, .json or .json.gz")->required();
  app.add_option("--strategy", options.strategies, "Strategies to compare")->type_name("NAME")->capture_default_str();
  app.add_option("--seeds", options.seeds, "Runs of each strategy on each space")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--first-seed", options.first_seed, "Seed of the first run")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--outstanding", options.outstanding,
                 "Costs that the strategy waits for at a time; they come in random order")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Runs at a time (default: one for each core)")
      ->check(CLI::PositiveNumber);
  app.add_option("--csv", options.csv, "Also write the tables as race_summary.csv and race_spaces.csv to this folder")
      ->type_name("FOLDER");
}

/// The runs of all strategies on all spaces, in parallel: [strategy][space][seed].
std::vector<std::vector<std::vector<RaceRun>>> race(const Options& options, const std::vector<RaceSpace>& spaces) {
  const auto seeds = static_cast<std::size_t>(options.seeds);
  std::vector<std::vector<std::vector<RaceRun>>> runs(
      options.strategies.size(), std::vector<std::vector<RaceRun>>(spaces.size(), std::vector<RaceRun>(seeds)));
  const std::size_t count = runs.size() * spaces.size() * seeds;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t job = next++; job < count; job = next++) {
      const std::size_t strategy = job % runs.size();
      const std::size_t run = job / runs.size() % seeds;
      const std::size_t space = job / runs.size() / seeds;
      const auto maker = [&](const SearchSpace& points, std::uint64_t seed) {
        return make_strategy(options.strategies[strategy], points, seed);
      };
      runs[strategy][space][run] = spaces[space].run(maker, static_cast<std::uint64_t>(options.first_seed) + run,
                                                     static_cast<std::size_t>(options.outstanding));
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < options.threads; ++i) threads.emplace_back(work);
  threads.clear();
  return runs;
}

Rows summary_rows(const Options& options, const std::vector<std::vector<std::vector<RaceRun>>>& runs) {
  Rows rows{{"outstanding", "strategy", "mean", "worst_space", "best_over_optimum_after_25", "after_100", "after_400",
             "optimum_found", "ms_per_evaluation", "longest_ask_ms"}};
  for (std::size_t strategy = 0; strategy < runs.size(); ++strategy) {
    std::vector<RaceRun> all;
    double worst = 1;
    for (const std::vector<RaceRun>& of_space : runs[strategy]) {
      all.insert(all.end(), of_space.begin(), of_space.end());
      worst = std::min(worst, summary(of_space).score);
    }
    const RaceSummary of_all = summary(all);
    rows.push_back({fmt::to_string(options.outstanding), options.strategies[strategy],
                    fmt::format("{:.3f}", of_all.score), fmt::format("{:.3f}", worst),
                    fmt::format("{:.3f}", of_all.ratios[0]), fmt::format("{:.3f}", of_all.ratios[2]),
                    fmt::format("{:.3f}", of_all.ratios[4]), fmt::format("{:.3f}", of_all.found_optimum),
                    fmt::format("{:.2f}", of_all.ms_per_evaluation), fmt::format("{:.0f}", of_all.longest_ask_ms)});
  }
  return rows;
}

std::string name_of(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return name.substr(0, name.find('.'));
}

Rows space_rows(const Options& options, const std::vector<std::vector<std::vector<RaceRun>>>& runs) {
  Rows rows{{"outstanding", "space"}};
  for (const std::string& strategy : options.strategies) {
    rows[0].push_back(strategy);
    rows[0].push_back(strategy + "_error");
  }
  for (std::size_t space = 0; space < options.files.size(); ++space) {
    rows.push_back({fmt::to_string(options.outstanding), name_of(options.files[space])});
    for (const auto& of_strategy : runs) {
      const RaceSummary of_space = summary(of_strategy[space]);
      rows.back().push_back(fmt::format("{:.3f}", of_space.score));
      rows.back().push_back(fmt::format("{:.3f}", of_space.standard_error));
    }
  }
  return rows;
}

void print(const Rows& rows) {
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      std::size_t width = 0;
      for (const std::vector<std::string>& other : rows) width = std::max(width, other[column].size());
      line += fmt::format("{:<{}}  ", row[column], width);
    }
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
  fmt::print("\n");
}

void write(const std::filesystem::path& path, const Rows& rows) {
  std::ofstream out(path);
  for (const std::vector<std::string>& row : rows) fmt::print(out, "{}\n", fmt::join(row, ","));
  if (!out.flush()) throw std::runtime_error(fmt::format("{} cannot be written", path.string()));
}

int run(const Options& options) {
  const std::vector<std::string> known = strategy_names();
  for (const std::string& strategy : options.strategies)
    if (std::ranges::find(known, strategy) == known.end())
      throw std::invalid_argument(warpwright::program::unknown("strategy", strategy, known));
  std::vector<RaceSpace> spaces;
  for (const std::string& file : options.files) spaces.emplace_back(read_kernel_tuner_cache(file));
  const auto runs = race(options, spaces);
  const Rows of_all = summary_rows(options, runs), of_spaces = space_rows(options, runs);
  print(of_all);
  print(of_spaces);
  if (!options.csv.empty()) {
    std::filesystem::create_directories(options.csv);
    write(std::filesystem::path(options.csv) / "race_summary.csv", of_all);
    write(std::filesystem::path(options.csv) / "race_spaces.csv", of_spaces);
  }
  return warpwright::program::kDone;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Compares search strategies on recorded spaces: 0 is random search, 1 the optimum at once.",
               "race_strategies"};
  add_options(app, options);
  return warpwright::program::run(app, argc, argv, [&] { return run(options); });
}
