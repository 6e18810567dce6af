// Finds rows changed from outside the programs: their content does not match the hash in their identity.
#include <fmt/core.h>

#include <algorithm>

#include "db/maintenance/check.hpp"
#include "db/store/identities.hpp"

namespace warpwright::db {
namespace {

constexpr const char* ranking = "ranking";

// Records a row, and each row it refers to, if its content was altered; each row at most once.
template <class R>
void examine(Connection& connection, Id id, std::vector<AlteredRow>& found) {
  const R record = row_of<R>(connection, id);
  Samples samples;
  if constexpr (std::same_as<R, Trial>) samples = samples_of(connection, id);
  const bool known =
      std::ranges::any_of(found, [&](const AlteredRow& row) { return row.table == table_of<R> && row.id == id; });
  const std::string own = identity(connection, record, samples.microseconds, samples.clocks_mhz);
  if (!known && own != identity_of(connection, table_of<R>, id)) found.push_back({.table = table_of<R>, .id = id});
  columns(record, [&](Column column, const auto& value) {
    if (!column.refers) return;
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::same_as<T, Id> || std::same_as<T, std::optional<Id>>) {
      const std::optional<Id> other = value;
      if (!other) return;
      each_record_type([&](const auto& kind) {
        using Other = std::remove_cvref_t<decltype(kind)>;
        if (std::string_view(column.refers) == table_of<Other>) examine<Other>(connection, *other, found);
      });
    }
  });
}

template <class R>
std::vector<Id> rows_of_trial(Connection& connection, Id trial_id) {
  std::vector<Id> ids;
  Statement rows(connection, fmt::format("SELECT id FROM {} WHERE trial_id = ? ORDER BY id", table_of<R>));
  rows.bind(trial_id);
  while (rows.step()) ids.push_back(rows.get<Id>(0));
  return ids;
}

// Records a ranking whose hash does not match, by the trial that it names first.
void examine_ranking(Connection& connection, const std::string& selection, std::vector<AlteredRow>& found) {
  if (selection.empty() || sealed(connection, selection) == selection) return;
  Statement first(connection, "SELECT id FROM trial WHERE selection = ? ORDER BY rank, id LIMIT 1");
  first.bind(selection);
  if (first.step()) found.push_back({.table = ranking, .id = first.get<Id>(0)});
}

}  // namespace

std::string AlteredRow::text() const {
  if (table == ranking) return fmt::format("the ranking of trial {}: it is not what was stored", id);
  return fmt::format("{} {}: its content is not what was stored", table, id);
}

std::vector<AlteredRow> altered_rows(const Store& store) {
  std::vector<AlteredRow> found;
  each_record_type([&](const auto& record) {
    using R = std::remove_cvref_t<decltype(record)>;
    for (const NamedRow& row : named_rows<R>(store.connection()))
      if (row.own != row.stored) found.push_back({.table = table_of<R>, .id = row.id});
  });
  for (const std::string& selection : selections(store.connection()))
    examine_ranking(store.connection(), selection, found);
  return found;
}

std::vector<AlteredRow> altered_rows(const Store& store, Id trial_id) {
  Connection& connection = store.connection();
  std::vector<AlteredRow> found;
  examine<Trial>(connection, trial_id, found);
  examine_ranking(connection, store.trial(trial_id).selection, found);
  for (const Id id : rows_of_trial<Certificate>(connection, trial_id)) examine<Certificate>(connection, id, found);
  for (const Id id : rows_of_trial<Comparison>(connection, trial_id)) examine<Comparison>(connection, id, found);
  return found;
}

}  // namespace warpwright::db
