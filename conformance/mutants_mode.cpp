// `conform --mutants`: runs the mutants of kernels on the host, prints and stores how each died.
#include "conformance/mutants_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>

#include "conformance/mistakes.hpp"

namespace warpwright::conformance {
namespace {

std::string place_of(const Mutation& mutation) {
  return mutation.line == 0 ? mutation.file : fmt::format("{}:{}", mutation.file, mutation.line);
}

void print_mutant(const Mutant& mutant, const MutantResult& result) {
  fmt::print("{:<24} {:<30} {:<12} {:<13} {:>6.2f} s  {}  {}\n", mutant.kernel->full_name(), mutant.mutation.rule,
             result.outcome, result.how, result.seconds, place_of(mutant.mutation), mutant.mutation.change);
  std::fflush(stdout);
}

void print_survivor(const Mutant& mutant, const MutantResult& result) {
  fmt::print("SURVIVED {} | {} | {} | {} | {} cases{}{}\n", mutant.kernel->full_name(), mutant.mutation.rule,
             place_of(mutant.mutation), mutant.mutation.change, result.cases, result.detail.empty() ? "" : " | ",
             result.detail);
}

}  // namespace

db::Mutant row_of(const Mutant& mutant, const MutantResult& result, const std::string& tool) {
  return {.kernel = mutant.kernel->full_name(),
          .rule = mutant.mutation.rule,
          .file = mutant.mutation.file,
          .line = mutant.mutation.line,
          .change = mutant.mutation.change,
          .tool = tool,
          .outcome = result.outcome,
          .how = result.how,
          .detail = result.detail,
          .seconds = result.seconds};
}

std::string mutant_table(const std::vector<Mutant>& mutants, const std::vector<MutantResult>& results) {
  struct Row {
    std::map<std::string, int> count;
    int killed = 0;
    double seconds = 0;
  };
  std::map<std::string, Row> rows;
  std::set<std::string> columns;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    if (results[i].outcome.empty()) continue;
    Row& row = rows[mutants[i].mutation.rule];
    const std::string& column = results[i].outcome == "killed" ? results[i].how : results[i].outcome;
    columns.insert(column);
    ++row.count[column];
    if (results[i].outcome != "killed") continue;
    ++row.killed;
    row.seconds += results[i].seconds;
  }
  const auto width = [](const std::string& column) { return std::max<std::size_t>(column.size(), 4); };
  std::string table = fmt::format("{:<36}", "rule");
  for (const std::string& column : columns) table += fmt::format("  {:>{}}", column, width(column));
  table += "  s a kill\n";
  std::vector<std::string> names = rule_names();
  names.emplace_back(kFamousMistake);
  for (const std::string& rule : names) {
    const auto row = rows.find(rule);
    if (row == rows.end()) continue;
    table += fmt::format("{:<36}", rule);
    for (const std::string& column : columns)
      table += fmt::format("  {:>{}}", row->second.count[column], width(column));
    table += row->second.killed == 0 ? "         -\n"
                                     : fmt::format("  {:>8.2f}\n", row->second.seconds / row->second.killed);
  }
  return table;
}

int run_mutants_mode(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache, const MutantsMode& mode) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Mutant> mutants;
  std::vector<MutantResult> results;
  const auto run = [&](const Catalogue& of, const std::vector<Mutant>& more) {
    const auto more_results =
        run_mutants(of, pool, cache, more, {.jobs = mode.jobs, .thorough = mode.thorough, .stop = mode.stop},
                    [&](std::size_t index, const MutantResult& result) {
                      print_mutant(more[index], result);
                      if (mode.store != nullptr) mode.store->put_mutant(row_of(more[index], result, "host"));
                    });
    mutants.insert(mutants.end(), more.begin(), more.end());
    results.insert(results.end(), more_results.begin(), more_results.end());
  };
  const auto all = mutants_of(catalogue, catalogue.matching(mode.globs));
  run(catalogue, mode.limit == 0 ? all : sample_mutants(all, mode.limit));
  if (mode.globs.empty() && mode.limit == 0) run(mistakes(), famous_mistakes());

  const auto count = [&](const std::string& outcome) {
    return static_cast<int>(std::ranges::count(results, outcome, &MutantResult::outcome));
  };
  fmt::print("\n{}\n", mutant_table(mutants, results));
  for (std::size_t i = 0; i < mutants.size(); ++i)
    if (results[i].outcome == "survived") print_survivor(mutants[i], results[i]);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{} mutants in {:.1f} s: {} killed, {} survived, {} equivalent, {} not compiled{}\n", mutants.size(),
             seconds, count("killed"), count("survived"), count("equivalent"), count("not compiled"),
             count("") > 0 ? fmt::format(", {} not run (interrupted)", count("")) : "");
  return count("survived");
}

}  // namespace warpwright::conformance
