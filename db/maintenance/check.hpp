// Looking after database files: merging, backing up, checking.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "db/store/store.hpp"

namespace warpwright::db {

// Rows that a merge brought in.
struct Merged {
  std::int64_t trials = 0;
  std::int64_t baselines = 0;
  std::int64_t sessions = 0;
  std::int64_t conformance_runs = 0;
  std::int64_t counterexamples = 0;
};

// Unites the other file's rows into `store` by content, in one transaction. Merging is idempotent, commutative and
// associative, up to row ids; nothing is lost. Where both have a row that may change (a session, a kernel's source, an
// access count, a ranking) the later one stays. The other file is not changed; a damaged one is refused.
Merged merge(Store& store, const std::filesystem::path& other);

// Writes a consistent copy, also while other processes write. Throws Error if `to` exists.
void backup(const Store&, const std::filesystem::path& to);

// A row whose content is not what was stored: it was changed behind the programs' back.
struct AlteredRow {
  std::string table{};
  Id id = 0;
  std::string text() const;  // "trial 2: its content is not what was stored"
};
// All of them.
std::vector<AlteredRow> altered_rows(const Store&);
// Those of a trial: its own row with its samples, all that it refers to, its certificates and what it was compared
// with.
std::vector<AlteredRow> altered_rows(const Store&, Id trial_id);

// Removes the trials that match, with their samples, launches, certificates and comparisons, and the plans and access
// counts that no other trial has. A ranking that loses a trial is undone as a whole. Returns how many trials there
// were.
std::int64_t forget(Store& store, const Filter& filter);

// What is wrong with a file's contents, one finding per line; empty when it is sound: the file's structure, foreign
// keys, samples that do not belong to their trial, identities that do not match their content.
std::vector<std::string> check(const Store&);

// Of the trials that match: "3 measured and passed, 1 predicted and failed".
std::string kinds_of(const std::vector<TrialView>&);

}  // namespace warpwright::db
