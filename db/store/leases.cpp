// Stores leases as rows, in short transactions.
#include "db/store/leases.hpp"

#include <fmt/core.h>

#include "db/store/connection.hpp"
#include "kernels/core/text.hpp"

namespace warpwright::db {
namespace {

// The longest lease. One that ends later was written by a clock that was set back since.
constexpr std::chrono::minutes longest_lease{10};

// Runs a statement and returns the number of rows that it changed.
int change(Connection& connection, const std::string& sql, const auto&... values) {
  Statement statement(connection, sql);
  statement.bind_all(values...);
  statement.step();
  return connection.database().getChanges();
}

void sweep(Connection& connection, std::int64_t now) {
  change(connection, "DELETE FROM lease WHERE expires_at <= ? OR expires_at > ?", now,
         now + std::chrono::milliseconds(longest_lease).count());
}

}  // namespace

std::int64_t Leases::system_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

Leases::Leases(Store& store, Id session_id, std::chrono::milliseconds lease, Clock clock)
    : store_(store),
      session_id_(session_id),
      lease_(std::min<std::chrono::milliseconds>(lease, longest_lease)),
      clock_(std::move(clock)) {
  be_present();
}

Leases::~Leases() {
  try {
    store_.transaction([&] { change(store_.connection(), "DELETE FROM lease WHERE session_id = ?", session_id_); });
  } catch (const Error&) {
    // They end with their lease.
  }
}

void Leases::be_present() {
  Connection& connection = store_.connection();
  store_.transaction([&] {
    sweep(connection, clock_());
    change(connection,
           "INSERT INTO lease (key, session_id, expires_at) VALUES ('session ' || ?1, ?1, ?2)"
           " ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at",
           session_id_, end_of_lease());
    Statement count(connection, "SELECT count(DISTINCT session_id) FROM lease");
    count.step();
    runs_ = count.get<std::int64_t>(0);
  });
}

std::int64_t Leases::end_of_lease() const {
  return clock_() + lease_.count();
}

std::vector<Lease> Leases::take(std::span<const std::string> keys, std::size_t at_most) {
  Connection& connection = store_.connection();
  return store_.transaction([&] {
    be_present();
    std::vector<Lease> found;
    std::size_t taken = 0;
    for (const std::string& key : keys) {
      Statement row(connection, "SELECT session_id, is_done FROM lease WHERE key = ?");
      row.bind(key);
      if (row.step()) {
        const bool done = row.get<bool>(1);
        found.push_back(done ? Lease::done : row.get<Id>(0) == session_id_ ? Lease::ours : Lease::held);
      } else if (taken == at_most) {
        found.push_back(Lease::free);
      } else {
        change(connection, "INSERT INTO lease (key, session_id, expires_at) VALUES (?, ?, ?)", key, session_id_,
               end_of_lease());
        found.push_back(Lease::ours);
        ++taken;
      }
    }
    return found;
  });
}

bool Leases::take_done(const std::string& key) {
  return store_.transaction([&] {
    sweep(store_.connection(), clock_());
    return change(store_.connection(),
                  "INSERT INTO lease (key, session_id, expires_at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
                  " session_id = excluded.session_id, expires_at = excluded.expires_at, is_done = 0"
                  " WHERE is_done = 1 OR session_id = excluded.session_id",
                  key, session_id_, end_of_lease()) > 0;
  });
}

bool Leases::finish(const std::string& key) {
  return store_.transaction([&] {
    return change(store_.connection(), "UPDATE lease SET is_done = 1, expires_at = ? WHERE key = ? AND session_id = ?",
                  end_of_lease(), key, session_id_) > 0;
  });
}

void Leases::give_back(const std::string& key) {
  store_.transaction([&] {
    change(store_.connection(), "DELETE FROM lease WHERE key = ? AND session_id = ? AND is_done = 0", key, session_id_);
  });
}

void Leases::renew() {
  const std::int64_t now = clock_();
  // If the clock was set back, the time since the last renewal is unknown.
  if (now >= renewed_ && now - renewed_ < beat().count()) return;
  renewed_ = now;
  store_.transaction([&] {
    change(store_.connection(), "UPDATE lease SET expires_at = ? WHERE session_id = ? AND is_done = 0", end_of_lease(),
           session_id_);
    be_present();
  });
}

std::vector<LeasedBy> leases_held(const Store& store) {
  std::vector<LeasedBy> found;
  const std::int64_t now = Leases::system_clock();
  Statement rows(store.connection(),
                 "SELECT session_id, count(*), max(expires_at) FROM lease"
                 " WHERE is_done = 0 AND key <> 'session ' || session_id GROUP BY session_id");
  while (rows.step())
    found.push_back({.session_id = rows.get<Id>(0),
                     .count = rows.get<std::int64_t>(1),
                     .seconds_left = static_cast<double>(rows.get<std::int64_t>(2) - now) / 1e3});
  return found;
}

std::string text_of(const LeasedBy& leases) {
  const std::string what = counted(leases.count, "evaluation");
  if (leases.seconds_left > 0)
    return fmt::format("session {} is at work on {}, which nobody else takes for {:.0f} s more", leases.session_id,
                       what, leases.seconds_left);
  return fmt::format("session {} ended without notice while at work on {}: the next run of tune takes them over",
                     leases.session_id, what);
}

}  // namespace warpwright::db
