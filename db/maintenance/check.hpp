// Maintenance of database files: merging, backing up, checking, deleting trials.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "db/store/store.hpp"

namespace warpwright::db {

// The numbers of rows that a merge added.
struct Merged {
  std::int64_t trials = 0;
  std::int64_t baselines = 0;
  std::int64_t sessions = 0;
  std::int64_t conformance_runs = 0;
  std::int64_t counterexamples = 0;
};

// Adds the other file's rows to `store`, matched by content, in one transaction. Merging is idempotent, commutative and
// associative except for row ids, and loses nothing. If both files have a row that may change (a session, a kernel's
// source, an access count, the ranking of a session), the later version stays. The other file is not changed; a damaged
// one is refused.
Merged merge(Store& store, const std::filesystem::path& other);

// Writes a consistent copy, even while other processes write. Throws Error if `to` exists.
void backup(const Store&, const std::filesystem::path& to);

// A row that was changed from outside the programs: its content is not what was stored.
struct AlteredRow {
  std::string table{};
  Id id = 0;
  std::string text() const;  // "trial 2: its content is not what was stored"
};
// All altered rows.
std::vector<AlteredRow> altered_rows(const Store&);
// The altered rows that a trial depends on: the trial itself with its samples, all rows it refers to, its certificates
// and its comparisons with baselines.
std::vector<AlteredRow> altered_rows(const Store&, Id trial_id);

// Deletes the trials that match, with their samples, launches, certificates and comparisons, and the plans and access
// counts of no other trial. A ranking that loses a trial is deleted. Returns the number of trials.
std::int64_t forget(Store& store, const Filter& filter);

// Checks the contents of a file and returns one finding per line, none for a sound file. Checks its structure, foreign
// keys, samples without a trial, and identities that do not match their content.
std::vector<std::string> check(const Store&);

// Counts the trials by kind: "3 measured and passed, 1 predicted and failed".
std::string kinds_of(const std::vector<TrialView>&);

}  // namespace warpwright::db
