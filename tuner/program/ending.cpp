// Prints the end of a run.
#include "tuner/program/ending.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "db/exchange/best_table.hpp"
#include "kernels/core/text.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/say.hpp"
#include "tuner/measuring/baselines.hpp"
#include "tuner/program/report.hpp"

namespace warpwright::tuner {
namespace {

/// "NVIDIA H200 (sm_90)", "2 x NVIDIA H200 (sm_90)"
std::string names_of(const std::vector<gpu::GpuInfo>& gpus) {
  std::map<std::string, int> counts;
  for (const gpu::GpuInfo& info : gpus) ++counts[fmt::format("{} ({})", info.device.model, info.device.arch())];
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : " and ") + (count > 1 ? fmt::format("{} x ", count) : "") + name;
  return text;
}

/// Details for --verbose.
std::string details(Run& run, double seconds, const std::optional<Board>& predicted, const Screen& screen) {
  const Totals& totals = run.totals;
  std::string text = fmt::format("{} {} in {:.1f} s", counted(totals.configurations, "configuration"),
                                 predicted ? "compiled, checked and predicted" : "measured", seconds);
  if (totals.configurations > 0) text += fmt::format(" ({:.1f}/s)", totals.configurations / std::max(seconds, 1e-9));
  if (totals.simulated > 0) text += fmt::format(", {} of them checked on the simulator too", totals.simulated);
  // These numbers do not sum to the number of configurations: some share a program, some need several.
  text += fmt::format("; {} compiled, {} from the cache",
                      counted(static_cast<std::int64_t>(run.build.compiler.compiled()), "program"),
                      run.build.compiler.cached());
  std::string lines = wrapped(text, screen.width, 2);
  lines += time_of_configurations(run.seconds, screen);
  for (const std::string& one : run.left) lines += wrapped("Searched of " + one, screen.width, 2);
  if (predicted)
    if (const auto baselines = baselines_worker(run.options, predicted->device.arch()); !baselines.empty())
      lines += wrapped(untimed_baselines(baselines), screen.width, 2);
  return lines + fmt::format("Stored in {}\n", printable(run.store.path().string()));
}

/// " --objective energy" for a command; empty for the time.
std::string objective_option(const Options& options) {
  return options.request.objective == Objective::time ? "" : " --objective " + options.objective;
}

/// Writes the report, if one is requested. Prints a failure; it is an error only if the user named the folder.
WrittenReport report_of(const Run& run) {
  const Options& options = run.options;
  if (options.no_report || program::interrupted()) return {};
  const auto folder =
      options.report.empty() ? default_report_folder(run.store.path()) : std::filesystem::path(options.report);
  WrittenReport report = write_report(run.store.path(), folder);
  if (!report.failure.empty()) program::say(report_failure(options.report, folder, report.failure, run.store.path()));
  return report;
}

}  // namespace

std::string settings_command(const Options& options, const std::string& arch) {
  return fmt::format("tunedb best -v --arch {}{}{}", arch, objective_option(options), database_option(options.db));
}

std::vector<std::string> patterns_to_go_on(const Options& options, const std::vector<SearchedProblem>& problems) {
  std::vector<std::string> hardly = hardly_searched(problems);
  std::set<std::string> all;
  for (const SearchedProblem& one : problems) all.insert(one.pattern);
  const bool is_most = 2 * hardly.size() > all.size();
  return is_most && options.request.globs.empty() ? std::vector<std::string>() : hardly;
}

std::string go_on_command(const Options& options, const std::vector<std::string>& patterns, const std::string& budget) {
  std::string command = "tune";
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) command += " " + option + " " + shell_word(value);
  };
  for (const std::string& job : options.jobs) command += " " + shell_word(job);
  add("--arch", options.arch);
  add("--board", options.board);
  for (const std::string& pattern : patterns) {
    if (pattern.starts_with("job:")) continue;  // included by --job
    // Kernels named on the command line are named again.
    bool is_named = false;
    for (const std::string& glob : options.request.globs) {
      if (glob.find('/') == std::string::npos || glob.substr(0, glob.find('/')) != pattern) continue;
      add("--pattern", glob);
      is_named = true;
    }
    if (!is_named) add("--pattern", pattern);
  }
  for (const std::string& size : options.request.sizes) add("--size", size);
  for (const std::string& type : options.request.types) add("--type", type);
  for (const std::string& with : options.request.with) add("--with", with);
  if (options.deterministic) command += " --deterministic";
  if (options.request.max_error) add("--max-error", fmt::format("{}", *options.request.max_error));
  command += objective_option(options);
  add("--robust", options.request.robust);
  if (options.devices != "first") add("--devices", options.devices);
  if (options.predict) command += " --predict";
  command += database_option(options.db);
  add("--cache", options.cache);
  add("--budget", budget);
  return command;
}

bool print_end(Run& run, double seconds, const std::optional<Board>& predicted, const std::vector<gpu::GpuInfo>& gpus) {
  const Options& options = run.options;
  const Screen screen = screen_of(STDOUT_FILENO);
  const std::string arch = predicted ? predicted->device.arch() : gpus.front().device.arch();
  const std::string device = predicted ? fmt::format("{} ({})", predicted->device.model, arch) : names_of(gpus);
  std::string text = db::best_text(run.best, options.verbose, screen);
  if (!text.empty()) text += "\n";
  text += wrapped(printable(summary(run.totals, seconds, !predicted, device)), screen.width, 2);
  for (const std::string& finding : run.findings) text += finding;
  if (const std::string_view verdict = run.totals.faults.gravest(); !verdict.empty())
    text += fmt::format("{}: tunedb trials --verdict {}{}\n", run.totals.faults.text(), shell_word(verdict),
                        database_option(options.db));
  if (predicted && !run.build.compiler.toolchain().host_error.empty())
    text += wrapped("Nothing was checked either: " + run.build.compiler.toolchain().host_error, screen.width, 2);
  if (options.verbose) text += details(run, seconds, predicted, screen);
  if (!run.not_begun.empty()) program::say("tune: " + unsearched_text(run.not_begun));
  // Shown while the report is being written.
  program::print(text);
  const WrittenReport report = report_of(run);
  const std::string report_line =
      report.index.empty() ? "" : "Report: " + printable(from_home(report.index, std::getenv("HOME")));
  // If no settings were found, there is no command to show them.
  text = run.best.empty() ? (report_line.empty() ? "" : report_line + "\n")
                          : side_by_side("Settings: " + settings_command(options, arch), report_line, screen.width);
  const std::vector<std::string> hardly = hardly_searched(run.searched);
  if (!hardly.empty() && options.shard.empty() && !program::interrupted()) {
    const std::string command =
        go_on_command(options, patterns_to_go_on(options, run.searched),
                      budget_to_go_on(run.searched, run.totals.configurations / std::max(seconds, 1e-9)));
    std::string names;
    for (const std::string& one : hardly) names += (names.empty() ? "" : ", ") + one;
    text += wrapped(fmt::format("Hardly searched: {}. Go on: {}", names, command), screen.width, 2);
  }
  program::print(text);
  return report.failure.empty() || options.report.empty();
}

void say_faults(const Options& options, const Totals& totals) {
  program::say(fmt::format("tune: {}: tunedb trials --verdict {}{}", faults_text(totals),
                           shell_word(totals.faults.gravest().empty() ? "failed" : totals.faults.gravest()),
                           database_option(options.db)));
}

}  // namespace warpwright::tuner
