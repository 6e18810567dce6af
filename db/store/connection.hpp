// One SQLite connection with our settings, and statements on it; for the files of db/ only.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "db/store/error.hpp"
#include "db/store/store.hpp"

namespace warpwright::db {

// How long a writer waits for another process.
inline constexpr int busy_timeout_ms = 30'000;

// An open database file with the current schema. Errors of SQLite become an Error that says what to do. Only one thread
// may use it at a time: neither it nor SQLite locks anything.
class Connection {
 public:
  Connection(std::filesystem::path path, Mode mode);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const std::filesystem::path& path() const { return path_; }
  Mode mode() const { return mode_; }
  SQLite::Database& database() { return *database_; }
  // The URI of the file, for attaching it elsewhere read-only.
  std::string read_only_uri() const;

  // Calls nest; only the outermost pair reaches SQLite. commit() throws if an inner one was rolled back.
  void begin();
  void commit();
  void rollback() noexcept;

  // Runs statements and ignores their results.
  void execute(const std::string& sql);

  // Finalizes the statements that are kept for reuse.
  void forget_statements() { idle_statements_.clear(); }

  [[noreturn]] void fail(const SQLite::Exception& exception) const;

 private:
  friend class Statement;
  void open();
  void open_read_only();
  void use_wal();

  std::filesystem::path path_;
  Mode mode_;
  bool immutable_ = false;
  std::unique_ptr<SQLite::Database> database_;
  std::unordered_map<std::string, std::vector<std::unique_ptr<SQLite::Statement>>> idle_statements_;
  int depth_ = 0;
  bool doomed_ = false;
};

// A statement in use. The connection keeps prepared statements for reuse.
class Statement {
 public:
  Statement(Connection& connection, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Binds the next parameter. NaN is bound as NULL, an empty vector as an empty blob.
  void bind(const std::string& value);
  void bind(std::string_view value) { bind(std::string(value)); }
  void bind(const char* value) { bind(std::string(value)); }
  void bind(double value);
  void bind(std::integral auto value) { bind_integer(static_cast<std::int64_t>(value)); }
  void bind(const std::vector<double>& values);
  void bind(std::nullptr_t);
  template <class T>
  void bind(const std::optional<T>& value) {
    value ? bind(*value) : bind(nullptr);
  }
  void bind_all(const auto&... values) { (bind(values), ...); }

  // Whether there is a (next) row.
  bool step();
  // Column i of the row.
  template <class T>
  T get(int i) const;

 private:
  void bind_integer(std::int64_t value);
  std::vector<double> doubles(int i) const;

  Connection& connection_;
  std::vector<std::unique_ptr<SQLite::Statement>>& idle_;  // to which it returns
  std::unique_ptr<SQLite::Statement> statement_;
  int next_ = 1;
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
T Statement::get(int i) const {
  const SQLite::Column column = statement_->getColumn(i);
  if constexpr (IsOptional<T>::value) {
    return column.isNull() ? T{} : T{get<typename T::value_type>(i)};
  } else if constexpr (std::same_as<T, bool>) {
    return column.getInt64() != 0;
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(column.getInt64());
  } else if constexpr (std::same_as<T, double>) {
    return column.getDouble();
  } else if constexpr (std::same_as<T, std::string>) {
    return column.getString();
  } else {
    static_assert(std::same_as<T, std::vector<double>>);
    return doubles(i);
  }
}

}  // namespace warpwright::db
