// Records counterexamples: seen, fixed, respelt and obsolete lines.
#include "db/store/counterexamples.hpp"

#include <string>
#include <vector>

#include "db/store/store.hpp"
#include "db/store/union_rows.hpp"

namespace warpwright::db {

void obsolete_counterexample(Connection& connection, std::string_view repro, std::string_view why) {
  Statement row(connection, "UPDATE counterexample SET obsolete = ? WHERE repro = ?");
  row.bind_all(why, repro);
  row.step();
}

void rewrite_counterexample(Connection& connection, std::string_view old_repro, std::string_view new_repro) {
  if (old_repro == new_repro) return;
  for (Counterexample& row : read_rows<Counterexample>(connection, "WHERE t.repro = ?", old_repro)) {
    Statement forget(connection, "DELETE FROM counterexample WHERE id = ?");
    forget.bind(row.id);
    forget.step();
    row.repro = new_repro;
    put_united(connection, row, identity(connection, row));
  }
}

void Store::saw_counterexample(const Counterexample& counterexample) {
  transaction([&] {
    Counterexample row = counterexample;
    row.last_seen = or_now(row.last_seen);
    const auto known = find_identity(*connection_, "counterexample", identity(*connection_, row));
    if (known) {
      const Counterexample stored = row_of<Counterexample>(*connection_, *known);
      row.first_seen = stored.first_seen;
      row.times_seen = stored.times_seen + 1;
      if (row.file.empty()) row.file = stored.file;
    } else {
      row.first_seen = row.last_seen;
      row.times_seen = 1;
    }
    row.fixed_at.reset();
    row.obsolete.reset();
    upsert_row(*connection_, row);
  });
}

void Store::fixed_counterexample(std::string_view repro) {
  transaction([&] {
    Statement row(*connection_, "UPDATE counterexample SET fixed_at = ? WHERE repro = ?");
    row.bind_all(now_utc(), repro);
    row.step();
  });
}

void Store::obsolete_counterexample(std::string_view repro, std::string_view why) {
  transaction([&] { db::obsolete_counterexample(*connection_, repro, why); });
}

void Store::rewrite_counterexample(std::string_view old_repro, std::string_view new_repro) {
  transaction([&] { db::rewrite_counterexample(*connection_, old_repro, new_repro); });
}

std::vector<Counterexample> Store::counterexamples(std::string_view glob, bool all) const {
  return read_rows<Counterexample>(*connection_,
                                   "WHERE t.pattern || '/' || t.kernel GLOB ?"
                                   " AND (? OR (t.fixed_at IS NULL AND t.obsolete IS NULL))"
                                   " ORDER BY t.first_seen, t.repro",
                                   glob, all);
}

}  // namespace warpwright::db
