// Counts the configurations that were evaluated.
#include "db/query/searched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "db/store/connection.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::db {
namespace {

// Rounded down, so that only all is 100 %.
std::string rounded_share(double share) {
  const double of_hundred = 100 * share;
  if (of_hundred >= 1 || of_hundred == 0) return fmt::format("{:.0f} %", std::floor(of_hundred));
  if (of_hundred < 0.1) return "< 0.1 %";
  return fmt::format("{:.1f} %", std::floor(10 * of_hundred) / 10);
}

}  // namespace

std::optional<double> Searched::share() const {
  if (configurations <= 0) return std::nullopt;
  return static_cast<double>(evaluated) / static_cast<double>(configurations);
}

std::string Searched::text() const {
  if (kernels_left > 0 && evaluated > 0) return counted(kernels_left, "kernel") + " left";
  const auto known = share();
  if (only_defaults && known.value_or(0) < 1) return "default only";
  return known ? rounded_share(*known) : "-";
}

std::string Searched::in_words() const {
  if (configurations <= 0) return fmt::format("{}, of how many is not known", counted(evaluated, "configuration"));
  const std::string left = kernels_left > 0 && evaluated > 0 ? ", " + counted(kernels_left, "kernel") + " left" : "";
  const std::string share_text = !only_defaults || share().value_or(0) >= 1 ? rounded_share(share().value_or(0))
                                 : kernels_left == 0                        ? "only the default of each kernel"
                                                                            : "only defaults";
  return fmt::format("{} of {} ({}{})", grouped(evaluated), counted(configurations, "configuration"), share_text, left);
}

Searched searched(const Store& store, Id problem_id, Id board_id, std::string_view provenance) {
  // Rejected configurations were not evaluated. A kernel's space may have become smaller since a trial was stored.
  Statement rows(store.connection(),
                 fmt::format("WITH seen AS (SELECT c.kernel_id AS kernel, count(DISTINCT c.id) AS evaluated,"
                             "   min(t.is_default) AS only_defaults FROM trial t"
                             "   JOIN configuration c ON c.id = t.configuration_id"
                             "   WHERE t.problem_id = ?1 AND t.board_id = ?2 AND t.provenance = ?3"
                             "   AND t.verdict <> '{}' GROUP BY c.kernel_id),"
                             " there AS (SELECT kernel_id AS kernel, configurations FROM space"
                             "   WHERE problem_id = ?1 AND board_id = ?2)"
                             " SELECT coalesce(seen.evaluated, 0), coalesce(seen.only_defaults, 1), configurations"
                             " FROM there LEFT JOIN seen USING (kernel)"
                             " UNION ALL SELECT evaluated, only_defaults, NULL FROM seen"
                             " WHERE kernel NOT IN (SELECT kernel FROM there)",
                             verdict::skipped));
  rows.bind_all(problem_id, board_id, std::string(provenance));
  Searched found{.only_defaults = true};
  std::int64_t without_space = 0;
  while (rows.step()) {
    const auto evaluated = rows.get<std::int64_t>(0);
    found.only_defaults &= rows.get<bool>(1);
    if (const auto there = rows.get<std::optional<std::int64_t>>(2)) {
      found.evaluated += std::min(evaluated, *there);
      found.configurations += *there;
      if (evaluated == 0 && *there > 0) ++found.kernels_left;
    } else {
      without_space += evaluated;
    }
  }
  if (found.configurations == 0) found.evaluated = without_space;
  found.only_defaults &= found.evaluated > 0;
  return found;
}

}  // namespace warpwright::db
