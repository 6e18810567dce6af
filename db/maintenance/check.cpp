// Copies and checks database files.
#include "db/maintenance/check.hpp"

#include <SQLiteCpp/Backup.h>
#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>

#include "db/store/identities.hpp"

namespace warpwright::db {
namespace {

namespace fs = std::filesystem;

// Appends a finding for each row that a statement returns; `describe` makes its text.
void findings(Connection& connection, const std::string& sql, std::vector<std::string>& found, auto&& describe) {
  Statement rows(connection, sql);
  while (rows.step()) found.push_back(describe(rows));
}

// What SQLite says of damage, in one line: it begins with a line on the database that has it, of which there is one.
std::string damage_text(std::string words) {
  if (words.starts_with("***")) words.erase(0, words.find('\n') + 1);
  std::ranges::replace(words, '\n', ';');
  return "its structure is broken: " + words;
}

}  // namespace

void backup(const Store& store, const fs::path& to) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error))) {
    throw Error(fmt::format("{}: this file exists, and is not overwritten. Name another one.", to.string()));
  }
  const fs::path folder = fs::absolute(to).parent_path();
  if (!fs::is_directory(folder, error)) {
    throw Error(
        fmt::format("{}: its folder does not exist. Make it with `mkdir -p {}`.", to.string(), folder.string()));
  }
  const fs::path unfinished = to.string() + ".unfinished";
  fs::remove(unfinished, error);
  try {
    SQLite::Database copy(unfinished.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_timeout_ms);
    {
      // Copies all pages in one step, so that a writer cannot make the copy start again.
      SQLite::Backup pages(copy, store.connection().database());
      for (int code = pages.executeStep(-1); code == SQLITE_BUSY || code == SQLITE_LOCKED;) {
        sqlite3_sleep(10);
        code = pages.executeStep(-1);
      }
    }
    copy.exec("PRAGMA journal_mode = DELETE");
  } catch (const SQLite::Exception& exception) {
    fs::remove(unfinished, error);
    throw Error(fmt::format("{}: the backup could not be written ({}). Look at the space and the rights there.",
                            to.string(), exception.what()));
  }
  fs::rename(unfinished, to, error);
  if (error) throw Error(fmt::format("{}: the backup could not be named so ({}).", to.string(), error.message()));
}

std::vector<std::string> check(const Store& store) {
  Connection& connection = store.connection();
  std::vector<std::string> found;
  try {
    findings(connection, "PRAGMA integrity_check(20)", found,
             [](const Statement& row) { return row.get<std::string>(0); });
    std::erase(found, "ok");
    for (std::string& finding : found) finding = damage_text(finding);
    // The checks that follow read rows. If the file's structure is broken they would report the same damage less
    // clearly.
    if (!found.empty()) return found;
    findings(connection, "PRAGMA foreign_key_check", found, [](const Statement& row) {
      return fmt::format("{} {}: refers to a row of {} that is not there", row.get<std::string>(0), row.get<Id>(1),
                         row.get<std::string>(2));
    });
    findings(connection,
             "SELECT trial_id FROM sample WHERE length(microseconds) % 8 <> 0 OR (coalesce(length(clocks_mhz), 0) <> 0 "
             "AND length(clocks_mhz) <> length(microseconds))",
             found, [](const Statement& row) { return fmt::format("sample of trial {}: cut off", row.get<Id>(0)); });
    // A row with a dangling reference has no identity to compare.
    if (!found.empty()) return found;
    for (const AlteredRow& row : altered_rows(store)) found.push_back(row.text());
  } catch (const Error& error) {
    found.push_back(error.what());
  }
  return found;
}

}  // namespace warpwright::db
