// The subcommands of `tune` that write job files: init and import-t1.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::tuner {

class JobCommands {
 public:
  /// Adds the subcommands to the program.
  explicit JobCommands(CLI::App& app);
  JobCommands(const JobCommands&) = delete;
  JobCommands& operator=(const JobCommands&) = delete;

  /// Whether the parsed command line names one of them.
  bool are_asked() const { return init_->parsed() || import_->parsed(); }

  std::vector<std::string> names() const { return {init_->get_name(), import_->get_name()}; }

  /// Runs the named subcommand; returns the exit code.
  int run() const;

 private:
  CLI::App& app_;
  CLI::App* init_;
  CLI::App* import_;
  std::string input_;
  std::string source_;
  std::string out_;
  std::string kernel_;
  std::vector<std::filesystem::path> include_;
};

}  // namespace warpwright::tuner
