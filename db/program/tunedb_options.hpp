// The command line of `tunedb`: its subcommands and their options.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "db/exchange/import.hpp"
#include "db/program/data_tables.hpp"
#include "db/query/query.hpp"
#include "db/store/store.hpp"

namespace warpwright::db {

struct TunedbOptions {
  std::string db;
  Filter filter;
  std::string size;
  std::string with;
  std::int64_t limit = 20;
  std::optional<std::int64_t> top;  // show this many of the fastest, instead of the limit
  std::string sort = "newest";
  bool csv = false;
  bool json = false;
  bool yes = false;
  bool verbose = false;
  std::string id;
  std::string format = "json";
  std::string robust = std::string(robust_words.front());
  std::string objective = objective_words.front();
  std::string output;
  std::vector<std::string> others;
  bool parts = false;
  ImportOptions import;
  std::string backup_to;
  std::string against;  // a recording

  Form form() const { return csv ? Form::csv : json ? Form::json : Form::text; }
  std::filesystem::path path() const { return db.empty() ? default_path() : std::filesystem::path(db); }
};

// Adds the subcommands to the program.
struct TunedbCommands {
  TunedbCommands(CLI::App& app, TunedbOptions& options);

  CLI::App *best, *trials, *runs, *show, *steps, *model, *across, *exports, *imports, *merge, *backup, *forget, *check;

 private:
  void add_questions(TunedbOptions& options);
  void add_files(TunedbOptions& options) const;
};

// Shell completions for an option whose values the parser does not know; taken from the default database, if it exists.
std::vector<std::string> tunedb_option_values(const std::string& option);

}  // namespace warpwright::db
