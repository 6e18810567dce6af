// The program tunedb: asks, exports and looks after databases of trials.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "db/across.hpp"
#include "db/claims.hpp"
#include "db/export.hpp"
#include "db/import.hpp"
#include "db/json.hpp"
#include "db/maintenance.hpp"
#include "db/merge_command.hpp"
#include "db/model_check.hpp"
#include "db/print.hpp"
#include "db/program.hpp"
#include "db/query.hpp"
#include "db/store.hpp"
#include "db/text.hpp"
#include "db/verdicts.hpp"
#include "db/vocabulary.hpp"

namespace {

using namespace warpwright::db;

namespace program = warpwright::program;

constexpr const char* examples = R"(
Examples:
  tunedb best --arch sm_90 --pattern transpose --size 8192x8192
  tunedb best --arch sm_75 --board "RTX 2070" --pattern reduce --with op=sum --size 2^24
  tunedb across --pattern transpose
  tunedb trials --pattern reduce --verdict failed --limit 10
  tunedb trials --arch sm_90 --sort time --top 10 --csv
  tunedb runs --limit 3
  tunedb model --pattern matmul
  tunedb show 42
  tunedb export --format hpp --output best_settings.hpp
  tunedb import recording.json.gz --bytes 240000000
  tunedb merge --db all.db laptop.db server.db
  tunedb backup copy.db
  tunedb check
  tunedb forget --pattern reduce --provenance predicted

The database is --db, else $WARPWRIGHT_DB, else ~/.local/share/warpwright/warpwright.db.
Exit codes: 0 done, 1 nothing found or damage found, 2 usage, 3 the file or the machine.)";

struct Options {
  std::string db;
  Filter filter;
  std::string size;
  std::string with;
  std::int64_t limit = 20;
  std::string sort = "newest";
  bool csv = false;
  bool json = false;
  bool yes = false;
  std::string id;
  std::string format = "json";
  std::string output;
  std::vector<std::string> others;
  bool parts = false;
  ImportOptions import;
  std::string backup_to;

  std::filesystem::path path() const { return db.empty() ? default_path() : std::filesystem::path(db); }
};

void add_selection(CLI::App& command, Options& options) {
  command.add_option("--pattern", options.filter.pattern, "Pattern, a glob: transpose");
  command.add_option("--kernel", options.filter.kernel, "Kernel, a glob: tiled*");
  command.add_option("--type", options.filter.types, "Types: float");
  command.add_option("--with", options.with, "Settings: op=sum,bins=256,data=zipf; what is left out is open");
  command.add_option("--size", options.size, "Size, a number a dimension: 8192x8192, 2^26");
  command.add_option("--board", options.filter.board, "Board: \"RTX 2070\"");
}

// What trials may be chosen by.
void add_filter(CLI::App& command, Options& options) {
  command.add_option("--arch", options.filter.arch, "Architecture (sm_90) or host");
  add_selection(command, options);
  command.add_option("--verdict", options.filter.verdict, "Verdict: failed")
      ->check(CLI::IsMember(std::vector<std::string>(verdicts().begin(), verdicts().end())));
  command.add_option("--provenance", options.filter.provenance, "measured, predicted or imported")
      ->check(CLI::IsMember(
          {std::string(provenance::measured), std::string(provenance::predicted), std::string(provenance::imported)}));
}

// Says on stderr what the database has, for a question that it cannot answer.
int nothing_found(const Store& store, const std::string& what) {
  std::cerr << fmt::format("tunedb: {}: {}.", printable(store.path().string()), what);
  const std::vector<std::string> lines = what_is_there(store);
  std::cerr << (lines.empty() ? " It holds no settings yet: run `tune`.\n" : " It has:\n");
  for (const std::string& line : lines) std::cerr << "  " << line << "\n";
  return program::kWrong;
}

// Says on stderr which rows behind the trials that are shown were changed behind the programs' back.
void warn_of_altered(const Store& store, const std::vector<Id>& trials) {
  std::set<std::string> said;
  for (const Id trial : trials) {
    for (const AlteredRow& row : altered_rows(store, trial)) {
      if (!said.insert(row.text()).second) continue;
      std::cerr << fmt::format("tunedb: warning: {}; trial {} rests on it (tunedb check looks at all rows)\n",
                               row.text(), trial);
    }
  }
}

Json json_list(const auto& rows) {
  Json list = Json::array();
  for (const auto& row : rows) list.push_back(json_of(row));
  return list;
}

std::vector<Id> winners_of(const std::vector<Best>& settings) {
  std::vector<Id> ids;
  for (const Best& setting : settings) ids.push_back(setting.winner.trial.id);
  return ids;
}

int run_best(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const std::vector<Best> settings = best(store, question_of(options.filter));
  if (settings.empty()) return nothing_found(store, "no best settings for that question");
  std::cout << (options.json ? text_of(json_list(settings)) : text_table(settings));
  warn_of_altered(store, winners_of(settings));
  return program::kDone;
}

int run_across(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const std::vector<Across> all = across_boards(store, options.filter);
  if (all.empty()) return nothing_found(store, "no problem of that question was timed on two boards");
  std::cout << (options.json ? text_of(json_list(all)) : text_of(all));
  return program::kDone;
}

int run_trials(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const bool by_time = options.sort == "time";
  const std::vector<TrialView> views =
      trials(store, options.filter, options.limit, by_time ? Order::time : Order::newest);
  if (options.csv) {
    std::cout << to_csv(views);
  } else if (options.json) {
    std::cout << text_of(json_list(views));
  } else if (views.empty()) {
    std::cout << "No trials match.\n";
  } else {
    std::cout << text_table(views);
    if (static_cast<std::int64_t>(views.size()) == options.limit) {
      std::cerr << fmt::format("The {} {} are shown; --limit 0 shows all.\n", by_time ? "fastest" : "newest",
                               options.limit);
    }
  }
  return program::kDone;
}

int run_runs(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  std::vector<ConformanceRun> runs = store.conformance_runs();
  std::ranges::reverse(runs);
  if (options.limit > 0 && std::ssize(runs) > options.limit) runs.resize(static_cast<std::size_t>(options.limit));
  if (options.json) {
    std::cout << text_of(json_list(runs));
  } else {
    std::cout << (runs.empty() ? "No runs of conform are recorded.\n" : text_table(runs));
  }
  return program::kDone;
}

int run_show(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const std::optional<TrialView> view = find(store, options.id);
  if (!view) {
    std::cerr << fmt::format("tunedb: {}: there is no trial {}. `tunedb trials` lists ids.\n",
                             printable(store.path().string()), printable(options.id));
    return program::kWrong;
  }
  if (options.json) {
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
    std::cout << text_of(json);
  } else {
    std::cout << sheet_of(store, *view);
  }
  warn_of_altered(store, {view->trial.id});
  return program::kDone;
}

int run_model(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const std::string text = text_of(check_model(store, options.filter));
  if (text.empty()) return nothing_found(store, "no configuration was both measured and predicted");
  std::cout << text;
  return program::kDone;
}

int run_export(const Options& options) {
  const Store store(options.path(), Mode::read_only);
  const Export made = export_as(store, options.format, options.filter);
  if (made.text.empty()) return nothing_found(store, "nothing to export for that question");
  warn_of_altered(store, made.trials);
  for (const std::string& note : made.notes) std::cerr << "tunedb: note: " << note << "\n";
  if (options.output.empty()) {
    std::cout << made.text;
    return program::kDone;
  }
  std::ofstream file(options.output, std::ios::binary);
  file << made.text;
  file.close();
  if (!file)
    throw Error(fmt::format("{}: cannot be written. Look at its folder, or name another file.", options.output));
  std::cout << fmt::format("{} written to {}\n", made.what, options.output);
  return program::kDone;
}

int run_import(const Options& options) {
  Store store(options.path());
  ImportOptions import = options.import;
  import.shape = options.filter.shape.value_or(Shape());
  for (const std::string& file : options.others) {
    const Imported made = import_recording(store, file, import);
    std::cout << printable(file) << ": " << text_of(made) << "\n";
    for (const std::string& note : made.notes) std::cerr << "tunedb: note: " << printable(file) << ": " << note << "\n";
  }
  return program::kDone;
}

int run_merge(const Options& options) {
  Store store(options.path());
  return merge_files(store, options.others, options.parts) ? program::kDone : program::kWrong;
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
  std::vector<ClaimedBy> under_way;
  try {
    const Store store(options.path(), Mode::read_only);
    found = check(store);
    if (found.empty()) under_way = claimed(store);
  } catch (const Damaged& damaged) {
    found = {damaged.what()};
  }
  const std::string name = options.path().string();
  if (found.empty()) {
    std::cout << name << ": sound\n";
    for (const ClaimedBy& claims : under_way) std::cout << text_of(claims) << "\n";
    return program::kDone;
  }
  for (const std::string& finding : found) std::cout << finding << "\n";
  std::cout << fmt::format("{}: damaged ({} findings). Restore a backup; this file was left as it is.\n", name,
                           found.size());
  return program::kWrong;
}

// From the default database, where there is one.
std::vector<std::string> option_values(const std::string& option) {
  const std::filesystem::path path = Options().path();
  return std::filesystem::exists(path) ? words_for(Store(path, Mode::read_only), option) : std::vector<std::string>();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Asks, exports and looks after databases of trials.", "tunedb");
  app.footer(examples);
  app.require_subcommand(0, 1);  // without one, the help says more than an error would
  app.fallthrough();
  Options options;
  app.add_option("--db", options.db, "Database file");
  std::vector<std::pair<CLI::App*, int (*)(const Options&)>> commands;
  const auto command = [&](const char* name, const char* what, int (*function)(const Options&)) {
    commands.emplace_back(app.add_subcommand(name, what), function);
    return commands.back().first;
  };

  CLI::App* best = command("best", "Best settings for an architecture, and how well they match", run_best);
  best->add_option("--arch", options.filter.arch, "Architecture: sm_90")->required();
  add_selection(*best, options);
  CLI::App* trials = command("trials", "Trials, newest first or fastest first", run_trials);
  add_filter(*trials, options);
  trials->add_option("--sort", options.sort, "newest, or time: the fastest first")
      ->check(CLI::IsMember({"newest", "time"}))
      ->capture_default_str();
  CLI::App* runs = command("runs", "Runs of conform, newest first, and how far each kernel came", run_runs);
  for (CLI::App* one : {trials, runs})
    one->add_option("--limit,--top", options.limit, "At most so many; 0 for all")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
  CLI::Option* csv = trials->add_flag("--csv", options.csv, "Print CSV");

  CLI::App* show = command("show", "Everything stored of one trial", run_show);
  show->add_option("id", options.id, "Id, or the beginning of an identity")->required();
  CLI::App* model =
      command("model", "The predictions held against the measurements of the same configurations", run_model);
  CLI::App* across = command("across", "Which best settings move from board to board, and what that costs", run_across);
  for (CLI::App* one : {model, across}) {
    one->add_option("--arch", options.filter.arch, "Architecture: sm_90");
    add_selection(*one, options);
  }
  for (CLI::App* one : {best, trials, runs, show, across}) one->add_flag("--json", options.json, "Print JSON");
  csv->excludes(trials->get_option("--json"));

  CLI::App* exports = command("export", "The best settings per architecture and problem, or recordings", run_export);
  exports->add_option("--arch", options.filter.arch, "Architecture; all of them without this");
  add_selection(*exports, options);
  exports
      ->add_option("--format", options.format,
                   "Best settings: json, csv, hpp (constexpr params), defines (macros of one problem); all trials of "
                   "one kernel, problem and board: t4, kernel-tuner")
      ->check(CLI::IsMember(export_formats()))
      ->capture_default_str();
  exports->add_option("--output", options.output, "File to write; standard output without this");

  CLI::App* imports =
      command("import", "Bring in recordings of other tuners (cache files of Kernel Tuner, T4)", run_import);
  imports->add_option("files", options.others, "Recordings to read, gzipped or plain")->required();
  imports->add_option("--bytes", options.import.bytes, "Bytes that every solution moves: faster times are refused")
      ->check(CLI::NonNegativeNumber);
  imports->add_option("--flops", options.import.operations, "Operations of every solution: faster times are refused")
      ->check(CLI::NonNegativeNumber);
  imports->add_option("--name", options.import.name, "Kernel, where the file does not name it");
  imports->add_option("--board", options.import.board, "Board, where the file does not name it");
  imports->add_option("--size", options.size, "Size, where the file does not say it: 8192x8192");

  CLI::App* merge = command("merge", "Bring the trials of other databases into this one", run_merge);
  merge->add_option("others", options.others, "Databases to read")->required();
  merge->add_flag(
      "--parts", options.parts,
      "They are of the shards of one run: what they ranked is united, and one that is missing or damaged is "
      "named and left out (exit 1)");

  CLI::App* backup = command("backup", "Write a consistent copy, also while others write", run_backup);
  backup->add_option("to", options.backup_to, "File to write; it must not exist")->required();

  CLI::App* forgets = command("forget", "Remove the trials that match, once you agree", run_forget);
  add_filter(*forgets, options);
  forgets->add_flag("--yes", options.yes, "Do not ask");

  command("check", "Look for damage, and for rows that were changed behind the programs' back", run_check);

  return program::run(
      app, argc, argv,
      [&]() -> int {
        if (!options.size.empty()) options.filter.shape = parse_shape(options.size);
        options.filter.settings = parse_settings(options.with);
        for (const auto& [subcommand, function] : commands)
          if (subcommand->parsed()) return function(options);
        std::cerr << app.help();
        return program::kUsage;
      },
      option_values);
}
