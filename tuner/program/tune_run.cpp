// Runs `tune` problem by problem, predicting for a board or measuring on GPUs.
#include "tuner/program/tune_run.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>

#include "db/query/query.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/say.hpp"
#include "tuner/measuring/measure_tasks.hpp"
#include "tuner/program/finding_text.hpp"
#include "tuner/tasks/stored_counterexamples.hpp"

namespace warpwright::tuner {
namespace {

const std::atomic<bool>& interrupted = program::interrupted();

std::string system_name() {
  utsname name{};
  ::uname(&name);
  return fmt::format("{} {}", name.sysname, name.release);
}

/// Duration of leases; tests shorten it.
std::chrono::milliseconds lease() {
  const char* const named = std::getenv("WARPWRIGHT_LEASE");
  if (named == nullptr) return db::Leases::usual_lease;
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * parse_duration(named)));
}

/// Selects the rows of a problem on a board.
db::Filter rows_of(const Problem& problem, const Device& device) {
  return {.arch = device.arch(),
          .pattern = problem.pattern,
          .settings = parse_settings(settings_text(problem)),
          .types = types_text(problem),
          .board = device.model,
          .shape = problem.shape};
}

int evaluated_of(const TuneOutcome& outcome) {
  return outcome.configurations + outcome.resumed;
}

/// The reason why a problem has no best configurations.
std::string why_unranked(const TuneOutcome& outcome, const db::Store& store, db::Filter rows,
                         const std::string& database) {
  if (!outcome.late_answers.empty()) return outcome.late_answers;
  const int evaluated = evaluated_of(outcome);
  const auto none_is = [&](const char* what) {
    return fmt::format("none of its configurations {} ({}): tunedb trials --pattern {}{} shows why", what,
                       outcome.faults.text(), shell_word(rows.pattern), database_option(database));
  };
  if (outcome.faults.wrong() >= evaluated) return none_is("is right");
  if (outcome.faults.all() >= evaluated) return none_is("can be used");
  if (rows.objective != Objective::time)
    return "the energy of its configurations could not be read from the board's counter";
  if (rows.deterministic)
    return outcome.not_deterministic.empty()
               ? "no time was left for its finalists: give more --budget"
               : "no finalist was shown to be deterministic: " + outcome.not_deterministic;
  if (rows.max_error) return "the error of no configuration is known to be as small as --max-error asks";
  rows.provenance = provenance::measured;
  if (!db::trials(store, rows, 1).empty()) return "no time was left to measure its finalists again: give more --budget";
  rows.provenance = {};
  rows.verdict = std::string(word_of(Verdict::not_modelled));
  const auto not_modelled = db::trials(store, rows, 1);
  if (!not_modelled.empty())
    return fmt::format("kernels that the simulator does not support have no predicted time; measure them on a GPU ({})",
                       not_modelled.front().trial.detail);
  rows.verdict = std::string(word_of(Verdict::unchecked));
  if (!db::trials(store, rows, 1).empty())
    return "what was not checked has no predicted time: a check counts the memory accesses that predictions need";
  return "its configurations use streams, for which the model predicts no time: measure it on a GPU";
}

}  // namespace

std::filesystem::path baselines_worker(const Options& options, const std::string& arch) {
  if (!options.baselines.value_or(true)) return {};
  auto program = worker::baselines_program(arch);
  if (program.empty() && options.baselines)
    throw std::runtime_error(
        fmt::format("there is no worker with baselines for {0}: build it with ./warpwright baselines --arch {0}, or "
                    "leave out --baselines",
                    arch));
  return program;
}

// The niceness of compilers and simulators while a GPU measures: the process that feeds the GPU gets its core first.
constexpr int kBesideGpu = 10;

Run::Run(const Options& given, const Catalogue& known, std::vector<TuningTask> asked, const Budget& time, bool predicts)
    : options(given),
      catalogue(known),
      budget(time),
      store(given.database()),
      build(catalogue.sources(), given.cache, {.asked = &interrupted, .deadline = predicts ? time.end() : std::nullopt},
            0, predicts ? 0 : kBesideGpu),
      tasks(std::move(asked)),
      progress(time.left()) {}

db::Session Run::session(const std::string& target, const std::string& command) const {
  return {.command = command,
          .strategy = options.request.strategy_name(),
          .seed = options.request.seed,
          .budget = options.budget,
          .target = target};
}

db::Environment Run::environment() {
  return {.nvrtc = build.compiler.toolchain().nvrtc_version,
          .host_compiler = build.compiler.toolchain().host_fingerprint,
          .os = system_name()};
}

void Run::conclude(const TuningTask& task, const TuneOutcome& outcome, const std::string& unsearched,
                   const Device& device) {
  totals.add(outcome);
  seconds[task.problem.pattern].add(outcome.seconds);
  note_finding(task, outcome, device);
  if (task.is_for_all_sizes) {
    --totals.problems;
    return;
  }
  if (!unsearched.empty() && !interrupted) left.push_back(fmt::format("{}: {}", task.title, unsearched));
  db::Filter rows = rows_of(task.problem, device);
  rows.max_error = options.request.max_error;
  rows.deterministic = options.deterministic;
  rows.objective = options.request.objective;
  auto found = db::best(store, db::best_query(rows));
  if (!found.empty()) {
    searched.push_back({.pattern = task.problem.pattern, .searched = found.front().searched});
    best.push_back(std::move(found.front()));
    return;
  }
  if (interrupted) return;
  ++totals.unanswered;
  if (evaluated_of(outcome) == 0 && outcome.late_answers.empty()) {
    searched.push_back({.pattern = task.problem.pattern,
                        .searched = {.configurations = static_cast<std::int64_t>(task.configurations)}});
    not_begun.push_back(task.title);
    return;
  }
  program::say(fmt::format("tune: no best configurations for {}: {}", task.title,
                           why_unranked(outcome, store, rows, options.db)));
}

void Run::find_settings_for_all_sizes() {
  if (options.request.robust.empty()) return;
  for (db::Best& own : best) {
    const db::TrialView& winner = own.winner;
    db::BestQuery query{.arch = winner.trial.target,
                        .pattern = winner.pattern,
                        .settings = parse_settings(db::settings_text(winner.problem)),
                        .types = winner.problem.types,
                        .board = winner.board->model,
                        .max_error = options.request.max_error,
                        .deterministic = options.deterministic,
                        .objective = options.request.objective,
                        .robust = db::robust_of(options.request.robust)};
    for (const db::Best& other : best)
      if (other.winner.pattern == winner.pattern && other.winner.problem.types == query.types &&
          parse_settings(db::settings_text(other.winner.problem)) == query.settings)
        query.sizes.push_back(parse_shape(other.winner.problem.shape));
    for (const db::Best& found : db::best(store, query))
      if (found.winner.problem.id == winner.problem.id) own.all_sizes = found.all_sizes;
  }
}

void Run::note_finding(const TuningTask& task, const TuneOutcome& outcome, const Device& device) {
  constexpr std::size_t kMost = 3;
  if (outcome.faults.gravest().empty() || findings.size() >= kMost) return;
  db::Filter rows = rows_of(task.problem, device);
  rows.verdict = std::string(outcome.faults.gravest());
  for (const db::TrialView& view : db::trials(store, rows, 1))
    findings.push_back(finding_text(catalogue, catalogue.kernel(view.pattern + "/" + view.kernel), view));
}

void Run::measure(const std::vector<gpu::GpuInfo>& gpus, const TasksFor& tasks_for, const std::string& command) {
  std::vector<AlikeGpus> groups;
  for (const gpu::GpuInfo& info : gpus) {
    const auto group = std::ranges::find_if(
        groups, [&](const AlikeGpus& known) { return are_alike(known.gpus.front().device, info.device); });
    if (group != groups.end()) {
      group->gpus.push_back(info);
      continue;
    }
    contexts_.push_back({catalogue, build, info.device, interrupted});
    groups.push_back(
        {.gpus = {info}, .tasks = groups.empty() ? tasks : tasks_for(info.device), .context = &contexts_.back()});
  }
  const MeasuringRun run{.catalogue = catalogue,
                         .request = options.request,
                         .budget = budget,
                         .store = store,
                         .progress = progress,
                         .worker =
                             [&](const std::string& arch) {
                               const auto baselines = baselines_worker(options, arch);
                               return baselines.empty() ? worker::worker_program() : baselines;
                             },
                         .session = [&](const std::string& arch) { return session(arch, command); },
                         .environment = [&] { return environment(); }};
  totals.failing +=
      measure_tasks(run, std::move(groups), [&](const TuningTask& task, const TaskResult& found, const Device& device) {
        conclude(task, found.outcome, found.searched, device);
      });
}

void Run::predict(const Board& board, const std::string& command) {
  Recorder recorder(store, catalogue, board.device, "table: " + board.source, environment(),
                    session(board.device.arch(), command));
  const TuningContext context{catalogue, build, board.device, interrupted};
  for (TuningTask& task : tasks) {
    task.progress = &progress;
    progress.expect(task.title, task.configurations);
  }
  db::Leases leases(store, recorder.session().id, lease());
  try {
    totals.failing += replay_stored(context, tasks, store);
    predict_tasks(context, tasks, options.request, recorder, leases, budget,
                  [&](const TuningTask& task, const PredictedTask& found) {
                    conclude(task, found.outcome, found.searched, board.device);
                  });
  } catch (const Stopped&) {
    // Trials stored before stay.
    if (!interrupted && !is_over(budget.end())) throw;
  }
  recorder.end(interrupted ? ending::interrupted : ending::complete);
}

}  // namespace warpwright::tuner
