// The command line of `conform`: its options, in groups.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/job/jobs.hpp"

namespace warpwright::conformance {

struct Options {
  std::vector<std::string> globs;
  std::string target = "host";
  std::string as;
  std::string devices = "first";
  int cases = 200;
  double minutes = 0;
  std::uint64_t seed = 1;
  bool seed_given = false;
  std::size_t points = 12;
  double max_steps = 8192;
  bool points_given = false;
  std::string repro;
  std::string strict = "on";
  bool is_strict() const { return strict == "on"; }
  std::string shard;
  bool nightly = false;
  bool mutants = false;
  bool sanitizer = false;
  std::size_t mutants_limit = 0;
  std::string mutants_tier = "all";
  std::size_t nights = 7;
  std::string junit;
  std::string sarif;
  std::vector<std::string> fail_on;
  bool require_oracle = false;
  bool calibrate = false;
  bool verbose = false;
  std::string db;
  std::string cache;
  unsigned jobs = 0;
  bool list = false;
  bool json = false;
  bool csv = false;
  std::unique_ptr<const job::Jobs> own = {};

  const Catalogue& catalogue() const { return own->catalogue(); }
};

void add_options(CLI::App& app, Options& options);

/// If a run over this many kernels takes long and has no time limit: how long it will take, and how to shorten it.
/// Empty for a short run.
std::string announcement(std::size_t kernels, const Options& options);

/// Shell completions for an option whose values the parser does not know.
std::vector<std::string> option_values(const std::string& option);

}  // namespace warpwright::conformance
