// Opens, closes and reports errors: everything that is special about our use of SQLite.
#include "db/store/connection.hpp"

#include <fmt/core.h>
#include <sqlite3.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "db/store/schema.hpp"

namespace warpwright::db {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "blobs of samples are little-endian doubles");

bool is_uri(const fs::path& path) {
  return path.string().starts_with("file:");
}

// A path as a SQLite URI.
std::string uri_of(const fs::path& path) {
  std::string uri = "file:";
  for (const char c : fs::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri;
}

// Refuses files that are not ours before SQLite touches them.
void inspect_path(const fs::path& path, Mode mode) {
  const std::string name = path.string();
  if (name.empty()) throw Error("the database's name is empty. Name a file with --db.");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    throw Error(
        fmt::format("{}: this is a directory. Name a file, e.g. --db {}", name, (path / "warpwright.db").string()));
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(fmt::format("{}: this is not a regular file. Name another one with --db.", name));
  }
  if (fs::exists(status)) {
    char magic[16] = {};
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      throw Error(
          fmt::format("{}: this file cannot be read ({}). Give yourself the right to, or name another file "
                      "with --db.",
                      name, std::strerror(errno)));
    }
    file.read(magic, sizeof magic);
    if (file.gcount() != 0 && std::memcmp(magic, "SQLite format 3", sizeof magic) != 0) {
      throw Damaged(
          fmt::format("{}: this is not a database, or it is damaged from its first byte on. Name another file "
                      "with --db, or restore a backup.",
                      name));
    }
    return;
  }
  for (fs::path parent = fs::absolute(path).parent_path();; parent = parent.parent_path()) {
    const fs::file_status folder = fs::status(parent, error);
    if (fs::is_directory(folder) || parent == parent.parent_path()) break;
    if (fs::exists(folder)) {
      throw Error(fmt::format("{}: {} is a file, so nothing can lie under it. Name another place with --db.", name,
                              parent.string()));
    }
  }
  if (mode == Mode::read_only) {
    throw Error(fmt::format("{}: there is no such file. Name the database with --db, or make it with `tune --db {}`.",
                            name, name));
  }
  const fs::path folder = fs::absolute(path).parent_path();
  if (!fs::is_directory(folder, error)) {
    throw Error(
        fmt::format("{}: its folder does not exist. Make it with `mkdir -p {}`, or name another file with --db.", name,
                    folder.string()));
  }
}

void busy_timeout(SQLite::Database& database, int milliseconds) {
  sqlite3_busy_timeout(database.getHandle(), milliseconds);
}

}  // namespace

Connection::Connection(fs::path path, Mode mode) : path_(std::move(path)), mode_(mode) {
  if (!is_uri(path_)) inspect_path(path_, mode_);
  try {
    mode_ == Mode::read_only ? open_read_only() : open();
  } catch (const SQLite::Exception& exception) {
    fail(exception);
  }
}

void Connection::open() {
  database_ = std::make_unique<SQLite::Database>(
      path_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX,
      busy_timeout_ms);
  // A file that is refused below stays unchanged; for others, the destructor makes a checkpoint.
  sqlite3_db_config(database_->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (sqlite3_db_readonly(database_->getHandle(), "main") == 1) {
    throw SQLite::Exception("the file is read-only", SQLITE_READONLY);
  }
  const bool is_new = !has_schema(*this);
  Statement damage(*this, "PRAGMA quick_check(1)");
  if (damage.step() && damage.get<std::string>(0) != "ok") {
    throw SQLite::Exception(damage.get<std::string>(0), SQLITE_CORRUPT);
  }
  while (damage.step()) {
  }
  if (is_new) create_schema(*this);
  use_wal();
  add_columns(*this);
  execute("PRAGMA synchronous = NORMAL");
  execute("PRAGMA foreign_keys = ON");
  execute("PRAGMA temp_store = MEMORY");
}

void Connection::open_read_only() {
  const auto open_as = [&](const std::string& name) {
    database_ = std::make_unique<SQLite::Database>(
        name, SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX, busy_timeout_ms);
    return has_schema(*this);
  };
  bool has_tables = false;
  try {
    has_tables = open_as(path_.string());
  } catch (const Error&) {
    // A file left in WAL mode can be read in a read-only folder only if SQLite is told that it does not change. If
    // there is a log beside it, that would ignore the log's contents.
    std::error_code error;
    const fs::path log = path_.string() + "-wal";
    const bool may_be_immutable = !is_uri(path_) && (!fs::exists(log, error) || fs::file_size(log, error) == 0);
    const int code = database_ ? database_->getErrorCode() : SQLITE_OK;
    if (!may_be_immutable || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY)) throw;
    immutable_ = true;
    idle_statements_.clear();
    has_tables = open_as(read_only_uri());
  }
  if (!has_tables) {
    throw Error(fmt::format("{}: this file is empty. Name the database with --db, or make it with `tune --db {}`.",
                            path_.string(), path_.string()));
  }
  execute("PRAGMA cache_size = -65536");  // in KiB: reports read a file several times
  add_columns(*this);
}

// SQLite does not wait if two processes switch the journal mode of one file at the same time. Reading takes the lock
// that prevents another process from switching back when it closes.
void Connection::use_wal() {
  for (int waited = 0;; waited += 10) {
    try {
      database_->exec("PRAGMA journal_mode = WAL; SELECT count(*) FROM schema");
      return;
    } catch (const SQLite::Exception& exception) {
      if (exception.getErrorCode() != SQLITE_BUSY || waited > busy_timeout_ms) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

Connection::~Connection() {
  idle_statements_.clear();
  if (!database_ || mode_ == Mode::read_only) return;
  // Both fail while another process has the file open: the last process to close it succeeds.
  busy_timeout(*database_, 0);
  database_->tryExec("PRAGMA wal_checkpoint(TRUNCATE)");
  database_->tryExec("PRAGMA journal_mode = DELETE");
}

std::string Connection::read_only_uri() const {
  if (is_uri(path_)) return path_.string();
  return uri_of(path_) + (immutable_ ? "?immutable=1" : "?mode=ro");
}

void Connection::begin() {
  if (depth_ == 0) {
    execute("BEGIN IMMEDIATE");
    doomed_ = false;
  }
  ++depth_;
}

void Connection::commit() {
  if (doomed_) throw Error(fmt::format("{}: a part of this write failed, so none of it was stored.", path_.string()));
  if (depth_ == 1) execute("COMMIT");
  --depth_;
}

void Connection::rollback() noexcept {
  doomed_ = true;
  if (--depth_ == 0 && sqlite3_get_autocommit(database_->getHandle()) == 0) database_->tryExec("ROLLBACK");
}

void Connection::execute(const std::string& sql) {
  try {
    database_->exec(sql);
  } catch (const SQLite::Exception& exception) {
    fail(exception);
  }
}

void Connection::fail(const SQLite::Exception& exception) const {
  const std::string name = path_.string();
  switch (exception.getErrorCode()) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      throw Damaged(fmt::format("{}: this file is damaged ({}). Restore a backup, or name another file with --db.",
                                name, exception.what()));
    case SQLITE_FULL:
      throw Error(
          fmt::format("{}: the disk is full; nothing of the last write was stored. Free some space, then run the "
                      "same command again.",
                      name));
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw Error(
          fmt::format("{}: this file cannot be written: it or its folder is read-only ({}). Give yourself the "
                      "right to write, or copy it and name the copy with --db.",
                      name, exception.what()));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(fmt::format("{}: another process has been writing for more than {} s. Wait for it or end it.", name,
                              busy_timeout_ms / 1000));
    case SQLITE_CANTOPEN:
      throw Error(
          fmt::format("{}: this file cannot be opened ({}). Look at the rights of it and of its folder, or name "
                      "another file with --db.",
                      name, exception.what()));
    case SQLITE_CONSTRAINT:
      throw Error(
          fmt::format("{}: a row breaks a rule of the database and was not stored ({}).", name, exception.what()));
    default:
      throw Error(fmt::format("{}: {} (SQLite error {}).", name, exception.what(), exception.getExtendedErrorCode()));
  }
}

Statement::Statement(Connection& connection, const std::string& sql)
    : connection_(connection), idle_(connection.idle_statements_[sql]) {
  try {
    if (idle_.empty()) {
      statement_ = std::make_unique<SQLite::Statement>(*connection_.database_, sql);
    } else {
      statement_ = std::move(idle_.back());
      idle_.pop_back();
    }
  } catch (const SQLite::Exception& exception) {
    connection_.fail(exception);
  }
}

Statement::~Statement() {
  statement_->tryReset();
  statement_->clearBindings();
  idle_.push_back(std::move(statement_));
}

void Statement::bind(const std::string& value) {
  statement_->bind(next_++, value);
}

void Statement::bind(double value) {
  std::isnan(value) ? statement_->bind(next_++) : statement_->bind(next_++, value);
}

void Statement::bind(std::nullptr_t) {
  statement_->bind(next_++);
}

void Statement::bind(const std::vector<double>& values) {
  static const double none = 0;  // a null pointer would be bound as NULL
  statement_->bind(next_++, values.empty() ? &none : values.data(), static_cast<int>(values.size() * sizeof(double)));
}

void Statement::bind_integer(std::int64_t value) {
  statement_->bind(next_++, value);
}

bool Statement::step() {
  const int code = statement_->tryExecuteStep();
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  connection_.fail(SQLite::Exception(connection_.database_->getHandle(), code));
}

std::vector<double> Statement::doubles(int i) const {
  const SQLite::Column column = statement_->getColumn(i);
  std::vector<double> values(static_cast<std::size_t>(column.getBytes()) / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), column.getBlob(), values.size() * sizeof(double));
  return values;
}

}  // namespace warpwright::db
