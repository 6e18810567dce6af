// The program `compare_strategies`: compares search strategies on recorded spaces, for those who develop them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/system/command_line.hpp"
#include "kernels/system/help.hpp"
#include "kernels/system/output_file.hpp"
#include "kernels/system/table.hpp"
#include "tuner/search/strategy_scores.hpp"

namespace {

using namespace warpwright::tuner;
using warpwright::Table;

constexpr const char* kWhat = "What to compare";
constexpr const char* kHow = "How to run";

struct Options {
  std::vector<std::string> files, known;
  std::vector<std::string> strategies{"random", "local", "gaussian_process"};
  int seeds = 25;
  int first_seed = 0;
  int outstanding = 1;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::string out;
  bool csv = false, json = false;
};

constexpr const char* kExamples = R"(Examples:
  compare_strategies spaces/*.json.gz
  compare_strategies spaces/gemm_*.json --strategy local --strategy random --seeds 100
  compare_strategies spaces/gemm_*.json --known spaces/gemm_*.json --json

The score is 0 for random search, and 1 for the optimum at once.)";

void add_options(CLI::App& app, Options& options) {
  namespace group = warpwright::program::group;
  app.footer(kExamples);
  app.add_option("files", options.files, "Recorded spaces: cache files of Kernel Tuner, .json or .json.gz")
      ->required()
      ->group(kWhat);
  app.add_option("--known", options.known,
                 "Recordings on other boards: the fastest configuration of each, if it is in the space, is evaluated "
                 "before the strategy is asked")
      ->type_name("FILE")
      ->group(kWhat);
  app.add_option("--strategy", options.strategies, "Strategies to compare")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(kWhat);
  app.add_option("--seeds", options.seeds, "Runs of each strategy on each space")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(kHow);
  app.add_option("--first-seed", options.first_seed, "Seed of the first run")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(kHow);
  app.add_option("--outstanding", options.outstanding,
                 "Costs that the strategy waits for at a time; they come in random order")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(kHow);
  app.add_option("--threads", options.threads, "Runs at a time (default: one for each core)")
      ->check(CLI::PositiveNumber)
      ->group(kHow);
  app.add_option("--out", options.out,
                 "Also write the tables as strategies.csv and strategies_by_space.csv to this folder")
      ->type_name("FOLDER")
      ->group(group::kFiles);
  CLI::Option* json =
      app.add_flag("--json", options.json, "Print both tables as JSON, in one object")->group(group::kOutput);
  app.add_flag("--csv", options.csv, "Print both tables as CSV, with an empty line between them")
      ->excludes(json)
      ->group(group::kOutput);
}

/// The runs of all strategies on all spaces, in parallel: [strategy][space][seed].
std::vector<std::vector<std::vector<StrategyRun>>> compare(const Options& options,
                                                           const std::vector<ScoredSpace>& spaces,
                                                           const std::vector<std::vector<std::size_t>>& known) {
  const auto seeds = static_cast<std::size_t>(options.seeds);
  std::vector<std::vector<std::vector<StrategyRun>>> runs(
      options.strategies.size(), std::vector<std::vector<StrategyRun>>(spaces.size(), std::vector<StrategyRun>(seeds)));
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
                                                     static_cast<std::size_t>(options.outstanding), known[space]);
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < options.threads; ++i) threads.emplace_back(work);
  threads.clear();
  return runs;
}

/// For each file, its points that are the fastest in another file of the same space.
std::vector<std::vector<std::size_t>> known_points(const Options& options, const std::vector<ScoredSpace>& spaces) {
  std::map<std::filesystem::path, RecordedSpace> recordings;
  for (const std::string& file : options.known)
    recordings.emplace(std::filesystem::weakly_canonical(file), read_kernel_tuner_cache(file));
  std::vector<std::vector<std::size_t>> known;
  for (std::size_t space = 0; space < spaces.size(); ++space) {
    std::vector<const RecordedSpace*> others;
    for (const auto& [path, recording] : recordings)
      if (path != std::filesystem::weakly_canonical(options.files[space])) others.push_back(&recording);
    known.push_back(best_elsewhere(spaces[space].recorded(), others));
  }
  return known;
}

/// None of them is cut on a narrow terminal.
Table table_of(const std::vector<std::string>& heads) {
  std::vector<Table::Column> columns;
  for (const std::string& head : heads) columns.push_back({.head = head, .least = Table::whole});
  return Table(std::move(columns));
}

Table::Cell number(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  const double rounded = std::stod(text);
  return {rounded, std::move(text)};
}

/// Empty where half of the runs never came so far.
Table::Cell reached(double value, int digits) {
  return std::isfinite(value) ? number(value, digits) : Table::Cell();
}

Table summary_table(const Options& options, const std::vector<std::vector<std::vector<StrategyRun>>>& runs) {
  Table table =
      table_of({"outstanding", "strategy", "mean", "worst_space", "best_over_optimum_after_25", "after_100",
                "after_400", "optimum_found", "evaluations_to_95_percent", "ms_per_evaluation", "longest_ask_ms"});
  for (std::size_t strategy = 0; strategy < runs.size(); ++strategy) {
    std::vector<StrategyRun> all;
    double worst = 1;
    for (const std::vector<StrategyRun>& of_space : runs[strategy]) {
      all.insert(all.end(), of_space.begin(), of_space.end());
      worst = std::min(worst, summary(of_space).score);
    }
    const StrategySummary of_all = summary(all);
    table.add({options.outstanding, options.strategies[strategy], number(of_all.score, 3), number(worst, 3),
               number(of_all.ratios[0], 3), number(of_all.ratios[2], 3), number(of_all.ratios[4], 3),
               number(of_all.found_optimum, 3), reached(of_all.evaluations_to_95_percent, 0),
               number(of_all.ms_per_evaluation, 2), number(of_all.longest_ask_ms, 0)});
  }
  return table;
}

std::string name_of(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return name.substr(0, name.find('.'));
}

Table space_table(const Options& options, const std::vector<std::vector<std::vector<StrategyRun>>>& runs,
                  const std::vector<std::vector<std::size_t>>& known) {
  std::vector<std::string> heads{"outstanding", "space", "known"};
  for (const std::string& strategy : options.strategies) {
    heads.push_back(strategy);
    for (const char* ending : {"_error", "_evaluations_to_95_percent", "_seconds_to_95_percent"})
      heads.push_back(strategy + ending);
  }
  Table table = table_of(heads);
  for (std::size_t space = 0; space < options.files.size(); ++space) {
    std::vector<Table::Cell> cells{options.outstanding, name_of(options.files[space]),
                                   static_cast<int>(known[space].size())};
    for (const auto& of_strategy : runs) {
      const StrategySummary of_space = summary(of_strategy[space]);
      cells.emplace_back(number(of_space.score, 3));
      cells.emplace_back(number(of_space.standard_error, 3));
      cells.emplace_back(reached(of_space.evaluations_to_95_percent, 0));
      cells.emplace_back(reached(of_space.seconds_to_95_percent, 1));
    }
    table.add(std::move(cells));
  }
  return table;
}

int run(const Options& options) {
  for (const std::string& strategy : options.strategies) check_strategy(strategy);
  std::vector<ScoredSpace> spaces;
  for (const std::string& file : options.files) spaces.emplace_back(read_kernel_tuner_cache(file));
  const std::vector<std::vector<std::size_t>> known = known_points(options, spaces);
  const auto runs = compare(options, spaces, known);
  const Table of_all = summary_table(options, runs), of_spaces = space_table(options, runs, known);
  if (!options.out.empty()) {
    const std::filesystem::path folder = options.out;
    std::filesystem::create_directories(folder);
    warpwright::write_file(folder / "strategies.csv", "the table", of_all.csv());
    warpwright::write_file(folder / "strategies_by_space.csv", "the table", of_spaces.csv());
  }
  const warpwright::Screen screen = warpwright::screen_of(STDOUT_FILENO);
  if (options.json)
    fmt::print("{{\"strategies\": {}, \"spaces\": {}}}\n", of_all.json(), of_spaces.json());
  else if (options.csv)
    fmt::print("{}\n{}", of_all.csv(), of_spaces.csv());
  else
    fmt::print("{}\n{}\n", of_all.text(screen), of_spaces.text(screen));
  return warpwright::program::kDone;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Compares search strategies on recorded spaces: 0 is random search, 1 the optimum at once.",
               "compare_strategies"};
  add_options(app, options);
  return warpwright::program::run(app, argc, argv, [&] { return run(options); });
}
