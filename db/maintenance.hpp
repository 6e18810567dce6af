// Looking after database files: merging, backing up, checking.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "db/store.hpp"

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

// What is wrong with a file's contents, one finding per line; empty when it is sound: the file's structure, foreign
// keys, samples that do not belong to their trial, identities that do not match their content.
std::vector<std::string> check(const Store&);

}  // namespace warpwright::db
