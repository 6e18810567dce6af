// Declares the command line of `tunedb`.
#include "db/program/tunedb_options.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "db/exchange/export.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "kernels/system/help.hpp"

namespace warpwright::db {
namespace {

constexpr const char* kWhich = "Which ones";
constexpr const char* kUnsaid = "What the files do not say";

constexpr const char* kExamples = R"(
Examples:
  tunedb best --arch sm_90 --pattern transpose    best configurations, and how well they are checked
  tunedb trials --verdict failed --limit 10       the latest wrong configurations
  tunedb export --format hpp --output best.hpp    the best configurations as a C++ header

Exit codes: 0 done, 1 nothing found or damage found, 2 usage, 3 environment.)";

// Of each subcommand.
constexpr std::pair<const char*, const char*> kExamplesOf[] = {{"best",
                                                                R"(
Examples:
  tunedb best --arch sm_90                        every problem of an architecture
  tunedb best --arch sm_90 --pattern sort -v      also parameters, intervals and ties
  tunedb best --arch sm_75 --size 2^26 --csv      one size, for a spreadsheet)"},
                                                               {"trials",
                                                                R"(
Examples:
  tunedb trials --verdict failed --limit 10       the latest wrong configurations
  tunedb trials --pattern reduce --top 5          the fastest of a pattern
  tunedb trials --arch sm_90 --limit 0 --csv      all of an architecture, for a spreadsheet)"},
                                                               {"runs",
                                                                R"(
Examples:
  tunedb runs                                     the latest 20
  tunedb runs --limit 0 --csv                     all, for a spreadsheet
  tunedb runs --db nightly.db                     those of another database)"},
                                                               {"show",
                                                                R"(
Examples:
  tunedb show 12                                  the trial that `tunedb trials` lists as 12
  tunedb show 12 --json                           also all samples, as JSON
  tunedb show 9f3a --db nightly.db                by the beginning of its identity)"},
                                                               {"steps",
                                                                R"(
Examples:
  tunedb steps 12                                 of the trial that `tunedb trials` lists as 12
  tunedb steps 12 --csv                           for a spreadsheet
  tunedb steps 9f3a --db nightly.db               by the beginning of its identity)"},
                                                               {"model",
                                                                R"(
Examples:
  tunedb model --arch sm_90 --pattern reduce      one pattern on one architecture
  tunedb model --against conv.json.gz             beside a recording of Kernel Tuner
  tunedb model --csv                              for a spreadsheet)"},
                                                               {"across",
                                                                R"(
Examples:
  tunedb across                                   all problems that were timed on two boards
  tunedb across --arch sm_75 --pattern scan       one pattern on one architecture
  tunedb across --json                            for a program)"},
                                                               {"export",
                                                                R"(
Examples:
  tunedb export --format hpp --output best.hpp    a C++ header
  tunedb export --arch sm_90 --format csv         a table of one architecture
  tunedb export --format t4 --pattern sort        all trials, for other tuners)"},
                                                               {"import",
                                                                R"(
Examples:
  tunedb import gemm.json.gz                      as the file says
  tunedb import gemm.json --size 4096x4096        with a size that it does not say
  tunedb import copy.json --bytes 134217728       refuses impossible times)"},
                                                               {"merge",
                                                                R"(
Examples:
  tunedb merge other.db                           into the default database
  tunedb merge --db all.db monday.db tuesday.db   several into another one
  tunedb merge --db all.db --parts shard-*.db     the shards of one run)"},
                                                               {"backup",
                                                                R"(
Examples:
  tunedb backup copy.db                           of the default database
  tunedb backup --db nightly.db copy.db           of another one
  tunedb backup "trials-$(date +%F).db"           with the date in its name)"},
                                                               {"forget",
                                                                R"(
Examples:
  tunedb forget --board 'RTX 2070'                what was measured or predicted for a board
  tunedb forget --verdict 'timed out' --csv       only lists those that took too long
  tunedb forget --provenance predicted --yes      all predictions, without asking)"},
                                                               {"check",
                                                                R"(
Examples:
  tunedb check                                    the default database
  tunedb check --db nightly.db                    another one
  tunedb check --db nightly.db --json             for a program)"}};

constexpr const char* kColumns = R"(

Columns:
  LIMITED BY                Of a predicted time: what takes most of it
  OF CEILING                The share of the ceiling: the highest rate that the GPU allows for the
                            problem, of its memory (copy, read), its arithmetic (flops) or the bus
  DEFAULT                   The time of the kernel's default parameters / the winner's time
  LIBRARY                   The time of the fastest library / the winner's time; ~: the two were not
                            measured in alternating rounds
  CERTAINTY                 How well it is known that the results are right. certified: it passed
                            random cases on the GPU and in the simulator. predicted, checked: it
                            passed all cases that a predicted best must pass. predicted, 7 cases:
                            only that many. imported: from another program, not checked
  SEARCHED                  The share of all configurations that was evaluated
  IN A GRAPH                The time of one run in a graph of 100 runs, where a launch alone takes
                            less than 10 us
  ENERGY                    The energy of one run, by the board's counter; with --objective
  ACCURACY                  The largest error, in digits and in units in the last place; with -v)";

void add_selection(CLI::App& command, TunedbOptions& options) {
  const auto add = [&](const char* name, auto& into, const char* what, const char* value) {
    command.add_option(name, into, what)->type_name(value)->group(kWhich);
  };
  add("--pattern", options.filter.pattern, "Pattern, also as a glob, or an operation: transpose, softmax", "GLOB");
  add("--kernel", options.filter.kernel, "Kernel, also as a glob: tiled*", "GLOB");
  add("--type", options.filter.types, "Element types: float", "TYPE");
  add("--with", options.with, "Settings of the problem: op=sum,bins=256,data=zipf; others may be anything",
      "NAME=VALUE");
  add("--size", options.size, "Size of the problem: 8192x8192 or 2^26", "SIZE");
  add("--board", options.filter.board, "Board: \"RTX 2070\"", "NAME");
  command
      .add_flag("--deterministic", options.filter.deterministic, "Only those shown to give the same bits in every run")
      ->group(kWhich);
  add("--max-error", options.filter.max_error, "Largest error: at most so many units in the last place", "ULP");
}

void add_arch(CLI::App& command, TunedbOptions& options, const char* what) {
  command.add_option("--arch", options.filter.arch, what)->type_name("ARCH")->group(kWhich);
}

// The verdicts, and an older name of one of them.
CLI::Validator verdict_words() {
  return CLI::Validator(
      [](std::string& word) -> std::string {
        if (word == "not judged") word = verdict::not_modelled;
        return std::ranges::find(all_verdict_words(), word) == all_verdict_words().end() ? "no verdict" : "";
      },
      "{" + CLI::detail::join(all_verdict_words()) + "}");
}

// Options that select trials.
void add_filter(CLI::App& command, TunedbOptions& options) {
  add_arch(command, options, "Architecture (sm_90) or host");
  add_selection(command, options);
  command.add_option("--verdict", options.filter.verdict, "Verdict")->transform(verdict_words())->group(kWhich);
  command.add_option("--provenance", options.filter.provenance, "Where the time is from")
      ->check(CLI::IsMember(
          {std::string(provenance::measured), std::string(provenance::predicted), std::string(provenance::imported)}))
      ->group(kWhich);
}

}  // namespace

TunedbCommands::TunedbCommands(CLI::App& app, TunedbOptions& options)
    : best(app.add_subcommand("best", "The best configurations for an architecture, and what is known of them")),
      trials(app.add_subcommand("trials", "Configurations that were evaluated, the newest or the fastest first")),
      runs(app.add_subcommand("runs", "Runs of conform, the newest first, and how far each kernel came")),
      show(app.add_subcommand("show", "Everything that is stored of one trial")),
      steps(app.add_subcommand("steps", "The time of each step of a finalist's plan, stream by stream")),
      model(app.add_subcommand("model", "Predictions beside measurements of the same configurations")),
      across(app.add_subcommand("across", "How the best configuration of one board performs on others")),
      exports(app.add_subcommand("export", "The best configurations of each architecture and problem, or recordings")),
      imports(app.add_subcommand("import", "Bring in recordings of other tuners (Kernel Tuner's cache files, T4)")),
      merge(app.add_subcommand("merge", "Bring the trials of other databases into this one")),
      backup(app.add_subcommand("backup", "Write a consistent copy, also while others write")),
      forget(app.add_subcommand("forget", "Remove the trials that match, after asking")),
      check(app.add_subcommand("check", "Look for damage, and for rows that other programs changed")) {
  app.footer(kExamples);
  for (const auto& [name, examples] : kExamplesOf) app.get_subcommand(name)->footer(examples);
  best->footer(best->get_footer() + kColumns);
  app.require_subcommand(0, 1);  // without a command, the help says more than an error would
  app.fallthrough();
  for (CLI::App* command : app.get_subcommands({})) command->fallthrough();
  app.add_option("--db", options.db, "Database (default: $WARPWRIGHT_DB or ~/.local/share/warpwright/warpwright.db)")
      ->type_name("FILE")
      ->group("Database");
  add_questions(options);
  add_files(options);
  for (CLI::App* one : {best, trials, runs, show, steps, model, across, imports, merge, forget, check}) {
    CLI::Option* json = one->add_flag("--json", options.json, "Print JSON")->group(program::group::kOutput);
    one->add_flag("--csv", options.csv, "Print CSV")->excludes(json)->group(program::group::kOutput);
  }
}

void TunedbCommands::add_questions(TunedbOptions& options) {
  add_arch(*best, options, "Architecture: sm_90 (must be given)");
  add_selection(*best, options);
  add_filter(*trials, options);
  trials->add_option("--sort", options.sort, "Which come first")
      ->check(CLI::IsMember({"newest", "time"}))
      ->capture_default_str()
      ->group(program::group::kOutput);
  for (CLI::App* one : {trials, runs})
    one->add_option("--limit", options.limit, "At most so many; 0 for all")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->group(program::group::kOutput);
  trials->add_option("--top", options.top, "The fastest, at most so many; 0 for all")
      ->check(CLI::NonNegativeNumber)
      ->group(program::group::kOutput);
  runs->add_option("--top", options.limit)->check(CLI::NonNegativeNumber)->group("");  // hidden from the help
  trials->add_flag("-v,--verbose", options.verbose, "Also all parameters, boards, intervals and details, in long lines")
      ->group(program::group::kOutput);
  for (CLI::App* one : {show, steps})
    one->add_option("id", options.id, "Id, or the beginning of an identity")->required()->group(kWhich);
  for (CLI::App* one : {model, across}) {
    add_arch(*one, options, "Architecture: sm_90");
    add_selection(*one, options);
  }
  model
      ->add_option("--against", options.against,
                   "Compare predictions with this recording of another tuner (Kernel Tuner's cache file, T4), and not "
                   "with measurements of the database")
      ->type_name("FILE")
      ->group(kWhich);
  for (CLI::App* one : {best, exports})
    one->add_option("--robust", options.robust,
                    "One configuration for all sizes: with the least worst loss, or the least mean loss")
        ->check(CLI::IsMember(robust_words))
        ->capture_default_str()
        ->group(program::group::kOutput);
  best->add_option("--objective", options.objective,
                   "What to minimise: the time, the energy of a run, or their product (edp)")
      ->check(CLI::IsMember(objective_words))
      ->capture_default_str()
      ->group(kWhich);
  best->add_flag("-v,--verbose", options.verbose,
                 "Also parameters, intervals, ties, accuracy, energy and libraries of each")
      ->group(program::group::kOutput);
}

void TunedbCommands::add_files(TunedbOptions& options) const {
  add_arch(*exports, options, "Architecture (default: all)");
  add_selection(*exports, options);
  exports
      ->add_option(
          "--format", options.format,
          "Best configurations: json, csv, hpp (constexpr parameters), defines (macros of one problem). All trials "
          "of one kernel, problem and board: t4, kernel-tuner")
      ->check(CLI::IsMember(export_formats()))
      ->capture_default_str()
      ->group(program::group::kOutput);
  exports->add_option("--output", options.output, "File to write (default: standard output)")
      ->type_name("FILE")
      ->group(program::group::kOutput);

  imports->add_option("files", options.others, "Recordings to read, gzipped or plain")->required()->group(kWhich);
  for (const auto& [name, into, what] :
       {std::tuple{"--bytes", &options.import.bytes, "Bytes that every solution moves: faster times are refused"},
        std::tuple{"--flops", &options.import.operations, "Operations of every solution: faster times are refused"}})
    imports->add_option(name, *into, what)->check(CLI::NonNegativeNumber)->group(kUnsaid);
  for (const auto& [name, into, what, value] :
       {std::tuple{"--name", &options.import.name, "Kernel, where the file does not name it", "NAME"},
        std::tuple{"--board", &options.import.board, "Board, where the file does not name it", "NAME"},
        std::tuple{"--size", &options.size, "Size, where the file does not say it: 8192x8192", "SIZE"}})
    imports->add_option(name, *into, what)->type_name(value)->group(kUnsaid);

  merge->add_option("others", options.others, "Databases to read")->required()->group(kWhich);
  merge
      ->add_flag("--parts", options.parts,
                 "The databases are shards of one run: their rankings are combined, and a shard that is missing or "
                 "damaged is named and left out (exit code 1)")
      ->group(kWhich);
  backup->add_option("to", options.backup_to, "File to write; it must not exist")
      ->required()
      ->group(program::group::kFiles);
  add_filter(*forget, options);
  forget->add_flag("--yes", options.yes, "Do not ask. With --json or --csv, nothing is removed without it")
      ->group("How");
}

std::vector<std::string> tunedb_option_values(const std::string& option) {
  const std::filesystem::path path = TunedbOptions().path();
  return std::filesystem::exists(path) ? words_for(Store(path, Mode::read_only), option) : std::vector<std::string>();
}

}  // namespace warpwright::db
