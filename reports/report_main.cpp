// The program report: writes a database as HTML pages, and lists drifts and new failures.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "db/store/store.hpp"
#include "kernels/core/text.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/help.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/drift.hpp"
#include "reports/page.hpp"
#include "reports/write.hpp"

namespace {

using namespace warpwright;
using namespace warpwright::reports;

constexpr const char* examples = R"(
Examples:
  report                                             # of the default database, into report/
  report --db nightly.db --out public/ --arch sm_90
  report --fail-on-drift 5% --fail-on-new-failure    # for CI: exit code 1 if something got worse

Drift compares the best time of each problem before and after the newest session on its board.
The database is only read.
Exit codes: 0 done, 1 drift above the limit or a new failure (where asked), 2 usage,
3 the file or the machine.)";

// A whole file may have been changed: names the first few rows.
void warn_of_altered(const std::vector<db::AlteredRow>& rows) {
  constexpr std::size_t most = 10;
  for (const db::AlteredRow& row : std::span(rows).first(std::min(most, rows.size())))
    fmt::print(stderr, "report: warning: {}\n", row.text());
  if (rows.size() > most)
    fmt::print(stderr, "report: warning: {} more like these; `tunedb check` lists all\n",
               grouped(static_cast<std::int64_t>(rows.size() - most)));
}

struct Options {
  std::string db;
  std::string out = "report";
  std::string arch;
  std::string drift;
  bool fail_on_new_failure = false;

  std::filesystem::path path() const { return db.empty() ? db::default_path() : std::filesystem::path(db); }
};

// Parses "5%" or "5" as 0.05.
double fraction_of(const std::string& text) {
  std::size_t end = 0;
  double value = -1;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  const std::string rest = text.substr(end);
  if (end == 0 || (!rest.empty() && rest != "%") || !(value >= 0 && value < 1e6)) {
    throw std::invalid_argument(fmt::format("--fail-on-drift: '{}' is no percentage. Write 5% or 2.5%.", text));
  }
  return value / 100;
}

std::string number_of(double value) {
  return fmt::format("{:.4g}", value);
}

// Prints one line per problem that drifted. Returns whether one exceeds the limit.
bool print_drifts(const Report& report, const std::optional<double>& limit) {
  bool exceeded = false;
  for (const Architecture& architecture : report.architectures) {
    for (const Drift& drift : drifts(architecture)) {
      const bool beyond = limit && drift.comparable() && drift.change() > *limit;
      exceeded = exceeded || beyond;
      fmt::print("{}: {} on {}: {} ({} us, was {} us){}\n", beyond ? "drift" : "change",
                 printable(drift.results->title()), printable(drift.results->board.model),
                 charts::change_text(drift.change()), number_of(*drift.after->trial.median_us),
                 number_of(*drift.before->trial.median_us),
                 !drift.comparable() ? "; not compared: " + drift.apart
                 : beyond            ? fmt::format("; above the limit of {} %", number_of(100 * *limit))
                                     : "");
    }
  }
  return exceeded;
}

bool print_failures(const Report& report) {
  const std::vector<NewFailure> failures = new_failures(report);
  for (const NewFailure& failure : failures) {
    fmt::print("new failure: {}; see: {}\n", printable(failure.what), printable(failure.repro));
  }
  return !failures.empty();
}

int make_report(const Options& options, const std::optional<double>& limit) {
  const db::Store store(options.path(), db::Mode::read_only);
  const Report report = read_report(store, options.arch);
  if (!options.arch.empty() && report.architectures.empty()) {
    std::cerr << fmt::format("report: {}: nothing is stored for {}.", store.path().string(), options.arch);
    for (const std::string& line : db::what_is_there(store)) std::cerr << "\n  it has " << line;
    std::cerr << "\n";
    return program::kUsage;
  }
  warn_of_altered(report.altered);
  const auto paths = write_pages(options.out, pages(report, embedded_assets(), db::now_utc()));
  fmt::print("{}\n", paths.front().string());
  fmt::print("{} more pages beside it\n", paths.size() - 1);
  const bool drifted = print_drifts(report, limit);
  const bool failing = print_failures(report);
  return drifted || (failing && options.fail_on_new_failure) ? program::kWrong : program::kDone;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes HTML pages of what a database holds: an index, one per architecture, one per problem and board.",
               "report");
  app.footer(examples);
  Options options;
  app.add_option("--db", options.db, "Database (default: $WARPWRIGHT_DB or ~/.local/share/warpwright/warpwright.db)")
      ->type_name("FILE")
      ->group("What to show");
  app.add_option("--arch", options.arch, "Only this architecture: sm_90")->type_name("ARCH")->group("What to show");
  app.add_option("--out", options.out, "Folder to write into; made where it is missing")
      ->type_name("FOLDER")
      ->capture_default_str()
      ->group(program::group::kFiles);
  app.add_option("--fail-on-drift", options.drift, "Exit with 1 if a problem got slower by more than this: 5%")
      ->type_name("PERCENT")
      ->group("When to fail");
  app.add_flag("--fail-on-new-failure", options.fail_on_new_failure,
               "Exit with 1 if something fails that did not before")
      ->group("When to fail");
  return program::run(app, argc, argv, [&] {
    return make_report(options, options.drift.empty() ? std::nullopt : std::optional(fraction_of(options.drift)));
  });
}
