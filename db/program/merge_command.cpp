// Implements `tunedb merge`.
#include "db/program/merge_command.hpp"

#include <fmt/core.h>

#include <iostream>

#include "db/maintenance/merge_shards.hpp"
#include "kernels/core/text.hpp"

namespace warpwright::db {
namespace {

void print_merged(const std::filesystem::path& other, const Merged& merged) {
  std::cout << fmt::format("{}: {}, {}, {}, {}, {}\n", other.string(), counted(merged.trials, "new trial"),
                           counted(merged.baselines, "baseline"), counted(merged.sessions, "session"),
                           counted(merged.conformance_runs, "conformance run"),
                           counted(merged.counterexamples, "counterexample"));
}

}  // namespace

bool merge_files(Store& store, const std::vector<std::string>& others, bool parts, Form form) {
  Table table = merge_table();
  const auto show = [&](const std::filesystem::path& other, const Merged& merged) {
    if (form == Form::text)
      print_merged(other, merged);
    else
      add_row(table, other.string(), merged);
  };
  std::vector<LeftOut> left_out;
  if (parts)
    left_out = merge_shards(store, std::vector<std::filesystem::path>(others.begin(), others.end()), show);
  else
    for (const std::string& other : others) show(other, merge(store, other));
  if (form != Form::text) std::cout << data_of(table, form);
  for (const LeftOut& one : left_out) std::cerr << "tunedb: left out: " << printable(one.reason) << "\n";
  return left_out.empty();
}

}  // namespace warpwright::db
