// Running mutants on the host.
#include "conformance/mutants/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <span>

#include "conformance/mutants/trivial_equivalence.hpp"
#include "conformance/properties/property.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {
namespace {

/// One round of drawing cases, shared out among groups of configurations and problems. What a round does not
/// find, the next one looks for in more configurations.
struct Round {
  std::size_t points;  ///< 0: the covering points
  bool paired;         ///< every point with one problem, every problem with one point; else each with all
  int cases;

  /// The same points and problems, each at least once, paired otherwise than in other rounds.
  Round in_pairs() const { return {.points = points, .paired = true, .cases = cases}; }
};
constexpr Round kRounds[] = {{0, true, 240}, {0, false, 400}, {12, false, 800}};
constexpr Round kThoroughRounds[] = {{0, true, 240}, {0, false, 400}, {12, false, 800}, {40, false, 4000}};

/// Groups that are compiled together, and how many times as many the next time: most mutants die in the first, and a
/// compiler's start is worth a few instances.
constexpr std::size_t kFirstGroups = 2;
constexpr std::size_t kTimesGroups = 4;

/// Correct kernels need less than a tenth of the steps. A worker counts them, and what comes in between, itself: the
/// clock is for what it cannot count, and a run on a busy machine is no hang.
constexpr Checker::Limits kLimits{
    .steps = 4e6, .per_step_of_work = 50, .per_thread = 200, .time = std::chrono::seconds(120)};

void shorten(std::string& text) {
  constexpr std::size_t kLongest = 2000;
  if (text.size() > kLongest) text.resize(kLongest);
}

class MutantRun {
 public:
  /// `originals` compiles the kernel as it is.
  MutantRun(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache, worker::Compiler& originals,
            const Mutant& mutant, worker::Process& process, const MutantOptions& options)
      : catalogue_(catalogue),
        mutant_(mutant),
        program_(program_of(catalogue, mutant)),
        compiler_(pool, cache, program_.sources),
        process_(process),
        options_(options) {
    // A famous mistake is a kernel of its own, and no change of one.
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
        look_further(rounds);
        if (options_.stop.is_now()) return {};
        if (same_->all_same()) {
          result.outcome = "equivalent";
          result.how = kSameProgram;
          result.detail = fmt::format("compiles to the same program ({} instance{})", same_->looked_at(),
                                      same_->looked_at() == 1 ? "" : "s");
          break;
        }
      }
      if (declared && i > 0) break;
      one_round(rounds[i], i, result);
      // Cases that are left might have killed it.
      if (result.how.empty() && options_.stop.is_now()) return {};
      if (result.outcome == "not compiled" || result.outcome == word_of(Verdict::not_judged)) break;
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
  /// Points and the problems that they are run on.
  struct Group {
    std::vector<Point> params;
    std::vector<Problem> problems;
  };

  std::vector<Group> groups_of(const Round& round, std::size_t number) const {
    const Kernel& kernel = program_.kernel;
    const auto problems = problems_of(catalogue_.pattern(kernel.pattern), kernel, host_device(options_.target));
    const Surroundings surroundings = surroundings_of(problems.front(), host_device(options_.target));
    const auto points = round.points == 0 ? covering_points(kernel, surroundings)
                                          : sample_points(kernel, surroundings, round.points, number);
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
                            .seed = number + 1,
                            .params = group.params,
                            .problems = group.problems,
                            .deadline = options_.stop.deadline,
                            .stop = options_.stop.asked,
                            .shrink = false});
    return properties;
  }

  /// What the cases of a property need, each once.
  std::vector<Program> programs_of(const PropertyOptions& property) const {
    const Device device = host_device(options_.target);
    std::vector<Program> programs;
    for (const Case& test : draw_cases(catalogue_, program_.kernel, device, property).cases) {
      Program program = program_for(catalogue_, program_.kernel, test.params, test.problem, device_for(test, device));
      if (std::ranges::find(programs, program) == programs.end()) programs.push_back(std::move(program));
    }
    return programs;
  }

  /// Compares instances of every point and every problem of the later rounds, without a case, as long as they are the
  /// same. All pairs of them would be hundreds of instances, most of one another's code.
  void look_further(std::span<const Round> rounds) {
    for (std::size_t i = 1; i < rounds.size(); ++i)
      for (const PropertyOptions& property : properties_of(rounds[i].in_pairs(), i)) {
        same_->look_at(programs_of(property));
        if (!same_->all_same()) return;
      }
  }

  void one_round(const Round& round, std::size_t number, MutantResult& result) {
    const auto properties = properties_of(round, number);
    Checker checker(catalogue_, process_, compiler_, Checker::Compile::ahead);
    checker.set_limits(kLimits);
    std::vector<std::vector<Program>> programs;  // of the properties that were begun
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
        // One that does not compile is found by its case.
        if (number == 0 && same_) same_->look_at(all);
        compiler_.compile(options_.target, all);
      }
      // Their cases are those of the kernel as it is.
      if (same_ && same_->are_same(programs[i])) continue;
      const PropertyOptions& property = properties[i];
      const PropertyReport report = run_property(catalogue_, checker, program_.kernel, property);
      result.cases += report.cases;
      if (report.ok() && report.not_judged.empty()) continue;
      if (report.ok()) {
        result.outcome = word_of(Verdict::not_judged);
        result.detail = report.not_judged;
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
  std::optional<SameCode> same_ = {};  ///< not of a plan that is broken
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
  if (failure.finding) {
    switch (*failure.finding) {
      case FindingKind::out_of_bounds:
        return "bounds";
      case FindingKind::input_written:
        return "input changed";
      case FindingKind::barrier_divergence:
        return "barrier";
      case FindingKind::bad_warp_mask:
        return "warp mask";
      case FindingKind::uninitialised_read:
      case FindingKind::uninitialised_local:
        return "uninitialised";
      case FindingKind::scratch_not_restored:
        return "scratch";
      default:
        return word_of(*failure.finding);
    }
  }
  if (failure.verdict == Verdict::timed_out) return "hang";
  if (failure.verdict == Verdict::failed) return "wrong value";
  return word_of(failure.verdict);
}

std::vector<Mutant> mutants_of(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels,
                               const std::string& target, const Stop& stop) {
  std::vector<Mutant> mutants;
  for (const Kernel* kernel : kernels) {
    if (stop.is_now()) throw Stopped();
    // Nothing of it runs as it is.
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
  // Beside the pool that compiles, which they wait for.
  worker::Pool judges(jobs, options.stop);
  for (std::size_t i = 0; i < mutants.size(); ++i)
    done.push_back(judges.submit([&, i](worker::Process& process) {
      if (options.stop.is_now()) return;
      MutantResult result;
      try {
        result = MutantRun(catalogue, pool, cache, originals, mutants[i], process, options).run();
      } catch (const Stopped&) {
        return;  // not run
      }
      const std::scoped_lock lock(mutex);
      results[i] = std::move(result);
      if (!results[i].outcome.empty()) progress(i, results[i]);
    }));
  for (std::future<void>& one : done) one.get();
  return results;
}

}  // namespace warpwright::conformance
