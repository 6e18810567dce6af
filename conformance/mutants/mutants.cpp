// Runs mutants on the simulator.
#include "conformance/mutants/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <span>

#include "conformance/checks/case_plan.hpp"
#include "conformance/mutants/trivial_equivalence.hpp"
#include "conformance/properties/property.hpp"
#include "conformance/properties/sample_points.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {
namespace {

/// One round of drawn cases, divided among groups of configurations and problems. Later rounds use more configurations,
/// to find what earlier ones missed.
struct Round {
  std::size_t points;  ///< 0: the covering points
  bool paired;         ///< true: each point with one problem and each problem with one point; false: every point with
                       ///< every problem
  int cases;

  /// The same points and problems, each at least once, but combined in pairs.
  Round in_pairs() const { return {.points = points, .paired = true, .cases = cases}; }
};
constexpr Round kRounds[] = {{0, true, 240}, {0, false, 400}, {12, false, 800}};
constexpr Round kThoroughRounds[] = {{0, true, 240}, {0, false, 400}, {12, false, 800}, {40, false, 4000}};

/// How many groups are compiled together at first, and by what factor that grows. Most mutants die in the first groups,
/// and starting a compiler costs as much as a few instances.
constexpr std::size_t kFirstGroups = 2;
constexpr std::size_t kTimesGroups = 4;

/// Correct kernels need less than a tenth of these accesses, so what needs more hangs. The worker counts the accesses
/// and the work between them; the time limit is only for what it cannot count.
constexpr RunLimits kLimits{.accesses = 4e6,
                            .per_step_of_work = 50,
                            .per_thread = 200,
                            .beyond_hangs = true,
                            .time = std::chrono::seconds(120)};

void shorten(std::string& text) {
  constexpr std::size_t kLongest = 2000;
  if (text.size() > kLongest) text.resize(kLongest);
}

class MutantRun {
 public:
  /// `originals` compiles the original kernel.
  MutantRun(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache, worker::Compiler& originals,
            const Mutant& mutant, worker::Process& process, const MutantOptions& options)
      : catalogue_(catalogue),
        mutant_(mutant),
        program_(program_of(catalogue, mutant)),
        compiler_(pool, cache, program_.sources),
        process_(process),
        options_(options) {
    // A known bug is a separate kernel, not a change of one.
    const bool changes_text =
        !mutant.mutation.edit_plan && catalogue.sources().at(mutant.mutation.file) != mutant.mutation.text;
    if (changes_text) same_.emplace(originals, compiler_, options.target);
  }

  MutantResult run() {
    const auto begin = std::chrono::steady_clock::now();
    const bool declared = !mutant_.mutation.equivalent.empty();
    MutantResult result{.outcome = declared ? "equivalent" : "survived", .detail = mutant_.mutation.equivalent};
    const auto rounds = options_.thorough ? std::span<const Round>(kThoroughRounds) : std::span<const Round>(kRounds);
    for (std::size_t i = 0; i < rounds.size() && result.how.empty(); ++i) {
      if (i == 1 && same_ && same_->all_same()) {
        compare_later_rounds(rounds);
        if (options_.stop.is_now()) return {};
        if (same_->all_same()) {
          result.outcome = "equivalent";
          result.how = kCompilerEquivalence;
          result.detail = fmt::format("compiles to the same code as its kernel ({} instance{})", same_->compared(),
                                      same_->compared() == 1 ? "" : "s");
          break;
        }
      }
      if (declared && i > 0) break;
      one_round(rounds[i], i, result);
      // The run was stopped, and one of the remaining cases might have killed it.
      if (result.how.empty() && options_.stop.is_now()) return {};
      if (result.outcome == "not compiled" || result.outcome == word_of(Verdict::not_modelled)) break;
    }
    if (declared && result.outcome == "killed") {
      result.outcome = "survived";
      result.detail =
          fmt::format("declared equivalent ({}){}, yet: {}", mutant_.mutation.equivalent,
                      mutant_.mutation.declared.empty() ? "" : " in " + mutant_.mutation.declared, result.detail);
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }

 private:
  /// Each round of a run has a seed of its own, which no run with another seed has.
  std::uint64_t first_seed() const {
    return (options_.seed - 1) * std::max(std::size(kRounds), std::size(kThoroughRounds));
  }

  /// Points, and the problems to run them on.
  struct Group {
    std::vector<Point> params;
    std::vector<Problem> problems;
  };

  std::vector<Group> groups_of(const Round& round, std::size_t number) const {
    const Kernel& kernel = program_.kernel;
    const auto problems = problems_of(catalogue_.pattern(kernel.pattern), kernel, host_device(options_.target));
    const Surroundings surroundings = surroundings_of(problems.front(), host_device(options_.target));
    const auto points = round.points == 0 ? covering_points(kernel, surroundings)
                                          : sample_points(kernel, surroundings, round.points, number + first_seed());
    if (!round.paired) return {{points, problems}};
    std::vector<Group> groups;
    for (std::size_t i = 0; i < std::max(points.size(), problems.size()); ++i)
      groups.push_back({{points[i % points.size()]}, {problems[(i + number) % problems.size()]}});
    return groups;
  }

  std::vector<PropertyOptions> properties_of(const Round& round, std::size_t number) const {
    const auto groups = groups_of(round, number);
    std::vector<PropertyOptions> properties;
    for (const Group& group : groups)
      properties.push_back({.target = options_.target,
                            .cases = round.cases / static_cast<int>(groups.size()),
                            .seed = first_seed() + number + 1,
                            .params = group.params,
                            .problems = group.problems,
                            .deadline = options_.stop.deadline,
                            .stop = options_.stop.asked,
                            .shrink = false,
                            .remark = false,
                            .limits = kLimits});
    return properties;
  }

  /// The programs that the cases of a property need, without repetition.
  std::vector<Program> programs_of(const PropertyOptions& property) const {
    const Device device = host_device(options_.target);
    std::vector<Program> programs;
    for (const Case& test : draw_cases(catalogue_, program_.kernel, device, property).cases) {
      Program program = program_for(catalogue_, program_.kernel, test.params, test.problem, device_for(test, device));
      if (std::ranges::find(programs, program) == programs.end()) programs.push_back(std::move(program));
    }
    return programs;
  }

  /// Compares instances for every point and every problem of the later rounds, until one differs; runs no case. All
  /// combinations would be hundreds of instances that mostly share their code.
  void compare_later_rounds(std::span<const Round> rounds) {
    for (std::size_t i = 1; i < rounds.size(); ++i)
      for (const PropertyOptions& property : properties_of(rounds[i].in_pairs(), i)) {
        same_->compare(programs_of(property));
        if (!same_->all_same()) return;
      }
  }

  void one_round(const Round& round, std::size_t number, MutantResult& result) {
    const auto properties = properties_of(round, number);
    Checker checker(catalogue_, process_, compiler_, {.compile_ahead = true});
    std::vector<std::vector<Program>> programs;  // of the properties begun so far
    std::size_t compiled = 0;
    std::size_t next = kFirstGroups;
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if (i == compiled) {
        std::vector<Program> all;
        for (; compiled < std::min(i + next, properties.size()); ++compiled) {
          programs.push_back(programs_of(properties[compiled]));
          all.insert(all.end(), programs.back().begin(), programs.back().end());
        }
        next *= kTimesGroups;
        // A program that does not compile fails in its case.
        if (number == 0 && same_) same_->compare(all);
        compiler_.compile(options_.target, all);
      }
      // The programs are the original's, so the cases would pass too.
      if (same_ && same_->are_same(programs[i])) continue;
      const PropertyOptions& property = properties[i];
      const PropertyReport report = run_property(catalogue_, checker, program_.kernel, property);
      result.cases += report.cases;
      if (report.ok() && report.not_modelled.empty()) continue;
      if (report.ok()) {
        result.outcome = word_of(Verdict::not_modelled);
        result.detail = report.not_modelled;
        continue;
      }
      if (report.failure.verdict == Verdict::not_compiled) {
        result.outcome = "not compiled";
        result.detail = report.failure.detail;
        shorten(result.detail);
        return;
      }
      result.outcome = "killed";
      result.how = how_it_died(report.failure);
      result.detail = report.failure.detail;
      result.repro = repro_line(*report.counterexample);
      return;
    }
  }

  const Catalogue& catalogue_;
  const Mutant& mutant_;
  MutantProgram program_;
  worker::Compiler compiler_;
  std::optional<SameCode> same_ = {};  ///< absent for a mutated plan
  worker::Process& process_;
  const MutantOptions& options_;
};

}  // namespace

MutantProgram program_of(const Catalogue& catalogue, const Mutant& mutant) {
  MutantProgram program{.kernel = *mutant.kernel, .sources = catalogue.sources()};
  if (!mutant.mutation.edit_plan) {
    program.sources.at(mutant.mutation.file) = mutant.mutation.text;
    return program;
  }
  program.kernel.plan = [plan = mutant.kernel->plan, edit = mutant.mutation.edit_plan](
                            const Point& point, const Problem& problem, const Device& device) {
    Plan made = plan(point, problem, device);
    edit(made);
    return made;
  };
  return program;
}

std::string_view how_it_died(const CaseResult& failure) {
  if (failure.finding) return word_of(*failure.finding);
  if (failure.verdict == Verdict::timed_out) return word_of(FindingKind::hang);
  if (failure.verdict == Verdict::failed) return "wrong value";
  return word_of(failure.verdict);
}

std::vector<Mutant> mutants_of(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels,
                               const std::string& target, const Stop& stop) {
  std::vector<Mutant> mutants;
  for (const Kernel* kernel : kernels) {
    if (stop.is_now()) throw Stopped();
    // No mutant can run if the original's default is invalid.
    if (!fault_of_default(catalogue.pattern(kernel->pattern), *kernel, host_device(target)).empty()) continue;
    for (Mutation& mutation : mutations_of(catalogue, *kernel, host_device(target)))
      mutants.push_back({.kernel = kernel, .mutation = std::move(mutation)});
  }
  return mutants;
}

std::vector<MutantResult> run_mutants(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                      const std::vector<Mutant>& mutants, const MutantOptions& options,
                                      const std::function<void(std::size_t, const MutantResult&)>& progress) {
  std::vector<MutantResult> results(mutants.size());
  std::mutex mutex;
  std::vector<std::future<void>> done;
  unsigned jobs = options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  jobs = std::min(jobs, std::max(1U, static_cast<unsigned>(mutants.size())));
  worker::Compiler originals(pool, cache, catalogue.sources());
  // Separate from the pool that compiles, which these workers wait for.
  worker::Pool runners(jobs, options.stop);
  for (std::size_t i = 0; i < mutants.size(); ++i)
    done.push_back(runners.submit([&, i](worker::Process& process) {
      if (options.stop.is_now()) return;
      MutantResult result;
      try {
        result = MutantRun(catalogue, pool, cache, originals, mutants[i], process, options).run();
      } catch (const Stopped&) {
        return;  // counts as not run
      }
      const std::scoped_lock lock(mutex);
      results[i] = std::move(result);
      if (!results[i].outcome.empty()) progress(i, results[i]);
    }));
  for (std::future<void>& one : done) one.get();
  return results;
}

}  // namespace warpwright::conformance
