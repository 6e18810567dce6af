// Merging from the command line.
#include "db/merge_command.hpp"

#include <fmt/core.h>

#include <iostream>

#include "db/parts.hpp"
#include "db/text.hpp"

namespace warpwright::db {
namespace {

void print_merged(const std::filesystem::path& other, const Merged& merged) {
  std::cout << fmt::format("{}: {} new trials, {} baselines, {} sessions, {} conformance runs, {} counterexamples\n",
                           other.string(), merged.trials, merged.baselines, merged.sessions, merged.conformance_runs,
                           merged.counterexamples);
}

}  // namespace

bool merge_files(Store& store, const std::vector<std::string>& others, bool parts) {
  if (!parts) {
    for (const std::string& other : others) print_merged(other, merge(store, other));
    return true;
  }
  const std::vector<std::filesystem::path> files(others.begin(), others.end());
  const std::vector<LeftOut> left_out = merge_parts(store, files, print_merged);
  for (const LeftOut& one : left_out) std::cerr << "tunedb: left out: " << printable(one.reason) << "\n";
  return left_out.empty();
}

}  // namespace warpwright::db
