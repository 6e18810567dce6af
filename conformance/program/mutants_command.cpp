// `conform --mutants`: runs mutants on the simulator, and prints and stores what killed each.
#include "conformance/program/mutants_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

#include "conformance/mutants/known_bugs.hpp"
#include "conformance/program/junit.hpp"
#include "conformance/program/sarif.hpp"
#include "kernels/core/text.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {
namespace {

std::string place_of(const Mutation& mutation) {
  return mutation.line == 0 ? mutation.file : fmt::format("{}:{}", mutation.file, mutation.line);
}

/// A line of at most 100 columns.
std::string line_of(const std::string& kernel, const std::string& rule, const std::string& time,
                    const std::string& outcome) {
  constexpr std::size_t of_kernel = 30, of_rule = 32, of_outcome = 24;
  return fmt::format("{:<{}}  {:<{}}  {:>8}  {}", cut(printable(kernel), of_kernel), of_kernel, cut(rule, of_rule),
                     of_rule, time, cut(outcome, of_outcome));
}

void print_mutant(const Mutant& mutant, const MutantResult& result, bool verbose) {
  std::string outcome = result.outcome;
  if (result.outcome == "survived") outcome = "SURVIVED";
  if (!result.how.empty()) outcome += ": " + result.how;
  fmt::print("{}\n", line_of(mutant.kernel->full_name(), mutant.mutation.rule, fmt::format("{:.2f} s", result.seconds),
                             outcome));
  if (verbose) fmt::print("  {}: {}\n", place_of(mutant.mutation), printable(mutant.mutation.change));
  std::fflush(stdout);
}

/// `results` begins with the results of this night's mutants.
void print_night(const Night& night, const std::vector<MutantResult>& results, std::size_t all, std::size_t nights) {
  std::size_t run = 0;
  std::size_t seen = night.seen;
  for (std::size_t i = 0; i < night.mutants.size(); ++i) {
    if (results[i].outcome.empty()) continue;
    ++run;
    if (night.is_new[i]) ++seen;
  }
  const auto percent = [&](std::size_t part) {
    constexpr double hundred = 100;
    return all == 0 ? hundred : hundred * static_cast<double>(part) / static_cast<double>(all);
  };
  fmt::print("this night {} of {} mutants ({:.0f} %), with the nights before {} ({:.0f} %); {} nights see all\n", run,
             all, percent(run), seen, percent(seen), nights);
}

/// A diagnostic for each kernel without mutants.
std::vector<Diagnostic> unmutated_of(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels,
                                     const std::vector<Mutant>& mutants, const std::string& target) {
  std::vector<Diagnostic> all;
  for (const Kernel* kernel : kernels) {
    if (std::ranges::find(mutants, kernel, &Mutant::kernel) != mutants.end()) continue;
    const std::string fault = fault_of_default(catalogue.pattern(kernel->pattern), *kernel, host_device(target));
    all.push_back({.kind = "not mutated",
                   .at = definition_of(catalogue, *kernel),
                   .message = fault.empty() ? "no rule finds anything to break in what its default launches" : fault,
                   .by = "nothing was shown of " + kernel->full_name(),
                   .kernel = kernel->full_name()});
  }
  return all;
}

Diagnostic survivor_of(const Mutant& mutant, const MutantResult& result) {
  const Mutation& mutation = mutant.mutation;
  Diagnostic one{
      .kind = "mutant survived",
      .at = {.file = mutation.line == 0 ? mutant.kernel->source : mutation.file, .line = std::max(mutation.line, 1)},
      .message = fmt::format("{}: {}", mutation.rule, mutation.change),
      .by = fmt::format("{} cases of {} passed with it", result.cases, mutant.kernel->full_name()),
      .kernel = mutant.kernel->full_name(),
      .about = mutation.rule + '\n' + mutation.change};
  if (!result.detail.empty()) one.more = {result.detail};
  return one;
}

/// The mutants that one command has run, and their results.
class CommandRun {
 public:
  CommandRun(worker::Pool& pool, const DiskCache& cache, const MutantsCommand& mode)
      : pool_(pool), cache_(cache), mode_(mode) {}

  void run(const Catalogue& catalogue, const std::vector<Mutant>& more) {
    const auto more_results = run_mutants(catalogue, pool_, cache_, more,
                                          {.target = mode_.target,
                                           .seed = mode_.seed,
                                           .jobs = mode_.jobs,
                                           .thorough = mode_.thorough,
                                           .stop = mode_.stop},
                                          [&](std::size_t index, const MutantResult& result) {
                                            if (mode_.form == Form::text) {
                                              if (!std::exchange(has_header_, true))
                                                fmt::print("{}\n", line_of("KERNEL", "BUG", "TIME", "OUTCOME"));
                                              print_mutant(more[index], result, mode_.verbose);
                                            }
                                            if (mode_.store != nullptr)
                                              mode_.store->put_mutant(row_of(more[index], result, mode_.target));
                                          });
    mutants_.insert(mutants_.end(), more.begin(), more.end());
    results_.insert(results_.end(), more_results.begin(), more_results.end());
  }

  /// Runs the first mutant of each family that compiles.
  void run_families(const Catalogue& catalogue, std::vector<std::vector<Mutant>> families) {
    for (std::size_t rank = 0; !families.empty(); ++rank) {
      std::erase_if(families, [&](const std::vector<Mutant>& family) { return family.size() <= rank; });
      std::vector<Mutant> next;
      for (const std::vector<Mutant>& family : families) next.push_back(family[rank]);
      const std::size_t first = results_.size();
      run(catalogue, next);
      std::vector<std::vector<Mutant>> again;
      for (std::size_t i = 0; i < families.size(); ++i)
        if (results_[first + i].outcome == "not compiled") again.push_back(std::move(families[i]));
      families = std::move(again);
    }
  }

  int count(const std::string& outcome) const {
    return static_cast<int>(std::ranges::count(results_, outcome, &MutantResult::outcome));
  }

  void print_summary(double seconds) const {
    fmt::print("\n{}\n", mutant_table(mutants_, results_));
    for (const Diagnostic& survivor : survivors()) fmt::print("{}", text_of(survivor));
    const auto same = std::ranges::count(results_, kCompilerEquivalence, &MutantResult::how);
    fmt::print("{} mutants in {:.1f} s: {} killed, {} survived, {} equivalent{}, {} not compiled{}{}\n",
               mutants_.size(), seconds, count("killed"), count("survived"), count("equivalent"),
               same > 0 ? fmt::format(" ({} by compiler equivalence)", same) : "", count("not compiled"),
               count("not modelled") > 0 ? fmt::format(", {} not modelled", count("not modelled")) : "",
               count("") > 0 ? fmt::format(", {} NOT RUN", count("")) : "");
  }

  void print_warnings() const {
    for (const std::string& place : unneeded_declarations(mutants_, results_))
      fmt::print(stderr,
                 "conform: {}: this line can be removed: the mutants that it names compile to the same code as the "
                 "kernel\n",
                 place);
    if (count("") > 0)
      fmt::print(stderr, "conform: NOT RUN: {} of {} mutants, because the run {}. They do not count as killed{}\n",
                 count(""), mutants_.size(), mode_.stop.is_asked() ? "was interrupted" : "ran out of time",
                 mode_.stop.is_asked()    ? "."
                 : mode_.store == nullptr ? ": give more --minutes, or fewer kernels."
                                          : ": the next night (--mutants-tier nightly) begins with it.");
  }

  std::vector<Diagnostic> survivors() const {
    std::vector<Diagnostic> all;
    for (std::size_t i = 0; i < mutants_.size(); ++i)
      if (results_[i].outcome == "survived") all.push_back(survivor_of(mutants_[i], results_[i]));
    return all;
  }

  const std::vector<Mutant>& mutants() const { return mutants_; }
  const std::vector<MutantResult>& results() const { return results_; }

 private:
  worker::Pool& pool_;
  const DiskCache& cache_;
  const MutantsCommand& mode_;
  bool has_header_ = false;
  std::vector<Mutant> mutants_;
  std::vector<MutantResult> results_;
};

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
    std::map<std::string, int> outcomes;
    int killed = 0;
    double seconds = 0;
  };
  std::map<std::string, Row> rows;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    if (results[i].outcome.empty()) continue;
    Row& row = rows[mutants[i].mutation.rule];
    // `how` also tells in which way a mutant is equivalent.
    ++row.outcomes[results[i].outcome == "killed" || results[i].how == kCompilerEquivalence ? results[i].how
                                                                                            : results[i].outcome];
    if (results[i].outcome != "killed") continue;
    ++row.killed;
    row.seconds += results[i].seconds;
  }
  std::string table = fmt::format("{:<36}  S A KILL  OUTCOMES\n", "RULE");
  std::vector<std::string> names = rule_names();
  names.emplace_back(kKnownBug);
  for (const std::string& rule : names) {
    const auto found = rows.find(rule);
    if (found == rows.end()) continue;
    const Row& row = found->second;
    std::vector<std::string> outcomes;
    for (const auto& [outcome, count] : row.outcomes) outcomes.push_back(fmt::format("{} {}", count, outcome));
    table +=
        fmt::format("{:<36}  {:>8}  {}\n", rule,
                    row.killed == 0 ? "-" : fmt::format("{:.2f}", row.seconds / row.killed), fmt::join(outcomes, ", "));
  }
  return table;
}

Table table_of(const std::vector<Mutant>& mutants, const std::vector<MutantResult>& results,
               const std::vector<Diagnostic>& unmutated) {
  Table table({{.head = "KERNEL"},
               {.head = "BUG"},
               {.head = "FILE"},
               {.head = "LINE"},
               {.head = "CHANGE"},
               {.head = "OUTCOME"},
               {.head = "HOW"},
               {.head = "CASES"},
               {.head = "SECONDS"},
               {.head = "DETAIL"},
               {.head = "REPRO"}});
  const auto cell = &Table::Cell::unless_empty;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const Mutation& mutation = mutants[i].mutation;
    const MutantResult& result = results[i];
    const bool ran = !result.outcome.empty();
    table.add({mutants[i].kernel->full_name(), mutation.rule, mutation.file, Table::Cell::of_line(mutation.line),
               mutation.change, ran ? result.outcome : "not run", cell(result.how), result.cases,
               ran ? Table::Cell(result.seconds, "") : Table::Cell(), cell(result.detail), cell(result.repro)});
  }
  for (const Diagnostic& one : unmutated)
    table.add({one.kernel, Table::Cell(), one.at.file, Table::Cell::of_line(one.at.line), Table::Cell(), one.kind,
               Table::Cell(), 0, Table::Cell(), one.message, Table::Cell()});
  return table;
}

std::vector<std::string> unneeded_declarations(const std::vector<Mutant>& mutants,
                                               const std::vector<MutantResult>& results) {
  std::map<std::string, bool> needed;
  for (std::size_t i = 0; i < mutants.size(); ++i)
    if (!mutants[i].mutation.declared.empty() && !results[i].outcome.empty())
      needed[mutants[i].mutation.declared] |= results[i].how != kCompilerEquivalence;
  std::vector<std::string> unneeded;
  for (const auto& [place, is_needed] : needed)
    if (!is_needed) unneeded.push_back(place);
  return unneeded;
}

MutantsSummary run_mutants_command(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                   const MutantsCommand& mode) {
  const auto begin = std::chrono::steady_clock::now();
  const auto kernels = catalogue.matching(mode.globs);
  const auto all = mutants_of(catalogue, kernels, mode.target, {.asked = mode.stop.asked});
  CommandRun run(pool, cache, mode);
  std::optional<Night> night;
  if (mode.limit > 0) {
    run.run(catalogue, sample_mutants(all, mode.limit));
  } else if (mode.tier == MutantTier::commit) {
    run.run_families(catalogue, mutant_families(all));
  } else if (mode.tier == MutantTier::nightly) {
    night = mutants_of_night(all, mode.store == nullptr ? std::vector<db::Mutant>{} : mode.store->mutants(),
                             mode.target, mode.nights);
    run.run(catalogue, night->mutants);
  } else {
    run.run(catalogue, all);
  }
  if (mode.globs.empty() && mode.limit == 0 && mode.tier != MutantTier::commit) run.run(known_bugs(), all_known_bugs());
  const std::vector<Diagnostic> unmutated = unmutated_of(catalogue, kernels, all, mode.target);
  if (mode.form == Form::text) {
    run.print_summary(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (night) print_night(*night, run.results(), all.size(), mode.nights);
    for (const Diagnostic& one : unmutated) fmt::print("{}", text_of(one));
  } else {
    fmt::print("{}", data_of(table_of(run.mutants(), run.results(), unmutated), mode.form));
  }
  std::fflush(stdout);
  run.print_warnings();
  if (!mode.junit.empty()) write_junit(mode.junit, mode.target, run.mutants(), run.results());
  if (!mode.sarif.empty()) {
    SarifRun log{.target = mode.target + "/mutants", .complete = !mode.stop.is_asked(), .diagnostics = run.survivors()};
    log.diagnostics.insert(log.diagnostics.end(), unmutated.begin(), unmutated.end());
    write_sarif(mode.sarif, log, catalogue);
  }
  return {.survived = run.count("survived"), .not_run = run.count(""), .unmutated = static_cast<int>(unmutated.size())};
}

}  // namespace warpwright::conformance
