// The program tunedb: queries, exports and maintains databases of trials.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "db/exchange/best_table.hpp"
#include "db/exchange/cross_board_text.hpp"
#include "db/exchange/export.hpp"
#include "db/exchange/import.hpp"
#include "db/exchange/json.hpp"
#include "db/exchange/print.hpp"
#include "db/exchange/recording_check.hpp"
#include "db/exchange/trials_table.hpp"
#include "db/maintenance/check.hpp"
#include "db/program/merge_command.hpp"
#include "db/program/tunedb_options.hpp"
#include "db/query/cross_board.hpp"
#include "db/query/model_check.hpp"
#include "db/query/query.hpp"
#include "db/query/step_times.hpp"
#include "db/store/leases.hpp"
#include "db/store/store.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/output_file.hpp"

namespace {

using namespace warpwright;
using namespace warpwright::db;
using Options = TunedbOptions;

namespace program = warpwright::program;

// Names the first of the architecture, pattern, kernel and board that no trial has: "no trial is of the architecture
// sm75"; empty if each has some.
std::string absent_word(const Store& store, const Filter& filter) {
  const std::pair<std::string_view, std::string Filter::*> words[] = {{"of the architecture", &Filter::arch},
                                                                      {"of the pattern", &Filter::pattern},
                                                                      {"of the kernel", &Filter::kernel},
                                                                      {"from the board", &Filter::board}};
  for (const auto& [what, word] : words) {
    Filter one;
    one.*word = filter.*word;
    if (!(filter.*word).empty() && trials(store, one, 1).empty())
      return fmt::format("no trial is {} {}", what, printable(filter.*word));
  }
  return {};
}

// Best configurations are those of the nearest board, if the one that was asked for has none.
Filter without_board(Filter filter) {
  filter.board.clear();
  return filter;
}

// Prints on stderr what the database has, if a query found nothing.
int nothing_found(const Store& store, const Filter& filter, const std::string& what) {
  const std::string absent = absent_word(store, filter);
  std::cerr << fmt::format("tunedb: {}: {}.", printable(store.path().string()), absent.empty() ? what : absent);
  const std::vector<std::string> lines = what_is_there(store);
  std::cerr << (lines.empty() ? " It holds no configurations yet: run `tune`.\n" : " It has:\n");
  for (const std::string& line : lines) std::cerr << "  " << line << "\n";
  return program::kWrong;
}

// Warns on stderr if rows behind the printed trials were changed from outside the programs.
void warn_of_altered(const Store& store, const std::vector<Id>& trials) {
  std::set<std::string> said;
  for (const Id trial : trials) {
    for (const AlteredRow& row : altered_rows(store, trial)) {
      if (!said.insert(row.text()).second) continue;
      std::cerr << fmt::format("tunedb: warning: {}; trial {} depends on it (tunedb check tests all rows)\n",
                               row.text(), trial);
    }
  }
}

Json json_list(const auto& rows) {
  Json list = Json::array();
  for (const auto& row : rows) list.push_back(json_of(row));
  return list;
}

int run_best(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  if (options.filter.arch.empty()) throw std::invalid_argument(question_for_arch(store));
  BestQuery query = best_query(options.filter);
  query.robust = robust_of(options.robust);
  query.objective = objective_of(options.objective);
  const std::vector<Best> settings = best(store, query);
  if (settings.empty())
    return nothing_found(store, without_board(options.filter),
                         query.objective == Objective::time ? "no matching configuration qualifies as the best"
                                                            : "the energy of no matching configuration is known");
  std::cout << (options.csv    ? best_table(settings).csv()
                : options.json ? json_text(json_list(settings))
                               : best_text(settings, options.verbose, screen_of(STDOUT_FILENO)));
  warn_of_altered(store, winners_of(settings));
  return program::kDone;
}

int run_across(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const std::vector<CrossBoard> all = cross_board_problems(store, options.filter);
  if (all.empty()) return nothing_found(store, options.filter, "no problem that matches was timed on two boards");
  std::cout << (options.json ? json_text(json_list(all)) : options.csv ? cross_board_table(all).csv() : text_of(all));
  return program::kDone;
}

int run_trials(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const bool by_time = options.top || options.sort == "time";
  const std::vector<TrialView> views =
      trials(store, options.filter, options.top.value_or(options.limit), by_time ? Order::time : Order::newest);
  if (options.csv) {
    std::cout << to_csv(views);
  } else if (options.json) {
    std::cout << json_text(json_list(views));
  } else if (views.empty()) {
    std::cout << "No trials match.\n";
  } else {
    const Screen screen = screen_of(STDOUT_FILENO);
    std::cout << (options.verbose ? text_table(views) : trials_table(views).text(screen) + trial_notes(views, screen));
    std::cerr << what_is_left_out(std::ssize(views), count_of(store, options.filter), by_time, options.verbose);
  }
  return program::kDone;
}

int run_runs(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  std::vector<ConformanceRun> runs = store.conformance_runs();
  std::ranges::reverse(runs);
  if (options.limit > 0 && std::ssize(runs) > options.limit) runs.resize(static_cast<std::size_t>(options.limit));
  if (options.json) {
    std::cout << json_text(json_list(runs));
  } else if (options.csv) {
    std::cout << run_table(runs).csv();
  } else {
    std::cout << (runs.empty() ? "No runs of conform are recorded.\n" : text_table(runs));
  }
  return program::kDone;
}

// The trial that the command line names; says so on stderr if there is none.
std::optional<TrialView> named_trial(const Store& store, const Options& options) {
  std::optional<TrialView> view = find(store, options.id);
  if (!view)
    std::cerr << fmt::format("tunedb: {}: there is no trial {}. `tunedb trials` lists ids.\n",
                             printable(store.path().string()), printable(options.id));
  return view;
}

int run_steps(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const std::optional<TrialView> view = named_trial(store, options);
  if (!view) return program::kWrong;
  const PlanTimes times = plan_times(store, view->trial.id);
  if (times.steps.empty()) {
    std::cerr << fmt::format(
        "tunedb: trial {} has no times of steps: `tune` measures them for finalists with several steps.\n",
        view->trial.id);
    return program::kWrong;
  }
  if (options.form() != Form::text) {
    std::cout << data_of(step_table(times), options.form());
    return program::kDone;
  }
  std::cout << step_table(times).text(screen_of(STDOUT_FILENO))
            << fmt::format("{:.2f} us from the first begin to the last end; {:.2f} us in all steps", times.span_us,
                           times.sum_us);
  std::vector<std::string> shares;
  for (const auto& [kind, us] : times.kinds)
    if (us > 0) shares.push_back(fmt::format("{} {:.1f} %", kind, 100 * us / times.sum_us));
  if (!shares.empty()) std::cout << fmt::format(" ({})", fmt::join(shares, ", "));
  if (times.ideal_us < times.sum_us) std::cout << fmt::format("; {:.2f} us if everything overlapped", times.ideal_us);
  std::cout << "\n";
  return program::kDone;
}

int run_show(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const std::optional<TrialView> view = named_trial(store, options);
  if (!view) return program::kWrong;
  if (options.form() == Form::text) {
    std::cout << sheet_of(store, *view, screen_of(STDOUT_FILENO));
  } else {
    Json json = json_of(*view);
    const Samples samples = store.samples(view->trial.id);
    json["samples_us"] = samples.microseconds;
    json["clocks_mhz"] = samples.clocks_mhz;
    json["launches"] = json_list(store.launches(view->trial.id));
    if (view->trial.plan_id) {
      const PlanText plan = store.plan(*view->trial.plan_id);
      json["plan"] = plan.text;
      json["compile_log"] = plan.compile_log;
    }
    std::cout << (options.json ? json_text(json) : field_table(json).csv());
  }
  warn_of_altered(store, {view->trial.id});
  return program::kDone;
}

int run_model(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  if (!options.against.empty()) {
    const RecordingCheck checked = check_against(
        store, options.filter, read_recording(unpacked(options.against), options.against), options.against);
    std::cout << (options.form() == Form::text ? text_of(checked) : data_of(recording_table(checked), options.form()));
    return program::kDone;
  }
  const std::vector<ModelCheck> checks = check_model(store, options.filter);
  if (checks.empty())
    return nothing_found(store, options.filter, "no configuration that matches was both measured and predicted");
  std::cout << (options.form() == Form::text ? text_of(checks) : data_of(model_table(checks), options.form()));
  return program::kDone;
}

int run_export(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const Export made = export_as(store, options.format, options.filter, robust_of(options.robust));
  if (made.text.empty())
    return nothing_found(store, without_board(options.filter),
                         options.format == "t4" || options.format == "kernel-tuner"
                             ? "nothing that matches was measured"
                             : "nothing that matches can be exported");
  warn_of_altered(store, made.trials);
  for (const std::string& note : made.notes) std::cerr << "tunedb: note: " << note << "\n";
  if (options.output.empty()) {
    std::cout << made.text;
    return program::kDone;
  }
  write_file(options.output, "the export", made.text);
  std::cout << fmt::format("{} written to {}\n", made.what, options.output);
  return program::kDone;
}

int run_import(const Options& options) {
  Store store(options.path());
  ImportOptions import = options.import;
  import.shape = options.filter.shape.value_or(Shape());
  Table table = import_table();
  for (const std::string& file : options.others) {
    const Imported made = import_recording(store, file, import);
    if (options.form() == Form::text)
      std::cout << printable(file) << ": " << text_of(made) << "\n";
    else
      add_row(table, file, made);
    for (const std::string& note : made.notes) std::cerr << "tunedb: note: " << printable(file) << ": " << note << "\n";
  }
  if (options.form() != Form::text) std::cout << data_of(table, options.form());
  return program::kDone;
}

int run_merge(const Options& options) {
  Store store(options.path());
  return merge_files(store, options.others, options.parts, options.form()) ? program::kDone : program::kWrong;
}

int run_backup(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  backup(store, options.backup_to);
  std::cout << fmt::format("{} copied to {}\n", store.path().string(), options.backup_to);
  return program::kDone;
}

int run_forget(const Options& options) {
  Store store(options.path());
  const std::vector<TrialView> views = trials(store, options.filter);
  // A program is not asked.
  if (options.form() != Form::text) {
    std::cout << (options.csv ? to_csv(views) : json_text(json_list(views)));
    if (options.yes) forget(store, options.filter);
    return program::kDone;
  }
  if (views.empty()) {
    std::cout << "No trials match.\n";
    return program::kDone;
  }
  std::cout << fmt::format("{} of {} match: {}.\n", counted(std::ssize(views), "trial"),
                           printable(store.path().string()), kinds_of(views))
            << std::flush;
  if (!options.yes) {
    std::cout << "Remove them, with their samples and certificates? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "y" && answer != "Y" && answer != "yes") {
      std::cout << "\nNothing was removed; --yes removes without asking.\n";
      return program::kDone;
    }
  }
  std::cout << fmt::format("{} removed\n", counted(forget(store, options.filter), "trial"));
  return program::kDone;
}

int run_check(const Options& options) {
  std::vector<std::string> found;
  std::vector<LeasedBy> under_way;
  try {
    const Store store(options.path(), Mode::read_only);
    found = check(store);
    if (found.empty()) under_way = leases_held(store);
  } catch (const Damaged& damaged) {
    found = {damaged.what()};
  }
  const std::string name = options.path().string();
  if (options.form() != Form::text) {
    std::cout << data_of(finding_table(name, found), options.form());
    return found.empty() ? program::kDone : program::kWrong;
  }
  if (found.empty()) {
    std::cout << name << ": sound\n";
    for (const LeasedBy& leases : under_way) std::cout << text_of(leases) << "\n";
    return program::kDone;
  }
  for (const std::string& finding : found) std::cout << finding << "\n";
  std::cout << fmt::format("{}: damaged ({}). Restore a backup; this file was left as it is.\n", name,
                           counted(std::ssize(found), "finding"));
  return program::kWrong;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Queries, exports and maintains the database of results.", "tunedb");
  Options options;
  TunedbCommands commands(app, options);
  const std::vector<std::pair<CLI::App*, int (*)(const Options&)>> functions = {
      {commands.best, run_best},     {commands.trials, run_trials},  {commands.runs, run_runs},
      {commands.show, run_show},     {commands.steps, run_steps},    {commands.model, run_model},
      {commands.across, run_across}, {commands.exports, run_export}, {commands.imports, run_import},
      {commands.merge, run_merge},   {commands.backup, run_backup},  {commands.forget, run_forget},
      {commands.check, run_check}};
  return program::run(
      app, argc, argv,
      [&]() -> int {
        if (!options.size.empty()) options.filter.shape = parse_shape(options.size);
        options.filter.settings = parse_settings(options.with);
        for (const auto& [command, function] : functions)
          if (command->parsed()) return function(options);
        std::cerr << app.help();
        return program::kUsage;
      },
      tunedb_option_values);
}
