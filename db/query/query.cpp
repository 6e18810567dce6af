// Selects trials.
#include "db/query/query.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <set>

#include "db/query/views.hpp"
#include "db/store/rows.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

TrialView read_view(const Store& store, const Statement& row) {
  int i = 0;
  TrialView view;
  view.trial = read_row<Trial>(row, i);
  view.pattern = row.get<std::string>(i++);
  view.kernel = row.get<std::string>(i++);
  view.params = row.get<std::string>(i++);
  view.params_json = row.get<std::string>(i++);
  if (row.get<bool>(i++)) view.certificates = store.certificates(view.trial.id);
  view.problem = read_row<Problem>(row, i);
  if (view.trial.board_id) view.board = read_row<Board>(row, i);
  return view;
}

// The number if the text is a number and nothing else.
std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::string_view time_kind(std::string_view mode) {
  const std::string_view method = mode.substr(0, mode.find(','));
  const std::string_view start = mode.substr(method.size());
  return start == ", stream" || start == ", graph" ? method : mode;
}

std::optional<double> TrialView::time_us() const {
  return trial.provenance == provenance::predicted ? trial.predicted_us : trial.median_us;
}

bool TrialView::is_measured() const {
  return trial.provenance == provenance::measured;
}

bool TrialView::is_predicted() const {
  return trial.provenance == provenance::predicted;
}

std::string TrialView::settings() const {
  return kernel + " " + unqualified(params);
}

std::string TrialView::short_certainty() const {
  if (trial.provenance == provenance::imported) return "imported";
  if (is_measured()) return certificates.empty() ? "not certified" : "certified";
  if (!trial.simulated_cases) return "predicted";
  if (*trial.simulated_cases == 0) return "predicted, unchecked";
  return trial.full_property ? "predicted, checked" : "predicted, " + counted(*trial.simulated_cases, "case");
}

std::string TrialView::certainty() const {
  if (trial.provenance == provenance::imported) return "imported, not checked";
  if (!is_measured()) {
    if (!trial.simulated_cases) return "several cases";
    if (*trial.simulated_cases == 0) return "unchecked";
    const std::string cases = counted(*trial.simulated_cases, "case");
    return trial.full_property ? fmt::format("the full property test, {}", cases) : cases;
  }
  if (certificates.empty()) return "not certified";
  const Certificate& newest = certificates.back();
  const std::string simulated =
      newest.simulated_cases > 0 ? fmt::format(" on the GPU and {} in the simulator", newest.simulated_cases) : "";
  return fmt::format("certified ({}{}, seed {}{})", counted(newest.cases, "case"), simulated, newest.seed,
                     newest.not_modelled.empty() ? "" : "; not modelled: " + newest.not_modelled);
}

std::string TrialView::accuracy() const {
  if (!trial.relative_error || !trial.error_ulp) return {};
  if (*trial.relative_error == 0) return "exact";
  return fmt::format("{:.1f} digits, {:.3g} ulp", -std::log10(*trial.relative_error), *trial.error_ulp);
}

std::string TrialView::energy() const {
  if (!trial.joules) return {};
  const double joules = *trial.joules;
  // What would be rounded to 1000 has the next unit.
  return joules < 999.5e-6   ? fmt::format("{:.3g} uJ", 1e6 * joules)
         : joules < 999.5e-3 ? fmt::format("{:.3g} mJ", 1e3 * joules)
                             : fmt::format("{:.4g} J", joules);
}

std::string TrialView::determinism() const {
  if (!trial.deterministic) return {};
  return *trial.deterministic ? "yes: equal bits in many runs, on the GPU and in the simulator"
                              : "no: the bits of two runs differ";
}

const char* const joined_tables =
    " FROM trial t JOIN configuration c ON c.id = t.configuration_id JOIN kernel k ON k.id = c.kernel_id"
    " JOIN problem p ON p.id = t.problem_id LEFT JOIN board b ON b.id = t.board_id ";

void Condition::add(const std::string& term, std::vector<Value> parameters) {
  sql += " AND (" + term + ")";
  values.insert(values.end(), parameters.begin(), parameters.end());
}

void Condition::bind_to(Statement& rows) const {
  for (const Value& value : values) std::visit([&](const auto& v) { rows.bind(v); }, value);
}

Condition condition_of(const Filter& filter) {
  Condition condition;
  const auto add = [&](const std::string& value, const std::string& term) {
    if (!value.empty()) condition.add(term, {value});
  };
  add(filter.arch, "t.target = ?");
  if (!filter.pattern.empty())
    condition.add("k.pattern GLOB ? OR instr(',' || p.variant || ',', '=' || ? || ',') > 0",
                  {filter.pattern, filter.pattern});
  add(filter.kernel, "k.kernel GLOB ?");
  add(filter.types, "p.types = ?");
  add(filter.board, "instr(lower(b.model), lower(?)) > 0");
  add(filter.verdict, "t.verdict = ?");
  add(filter.provenance, "t.provenance = ?");
  add(filter.before, "t.created_at < ?");
  for (const auto& [name, value] : filter.settings)
    condition.add("instr(',' || p.variant || ',' || p.numbers || ',data=' || p.data || ',', ?) > 0",
                  {"," + name + "=" + value + ","});
  if (filter.shape) condition.add("p.shape = ?", {shape_text(*filter.shape)});
  if (filter.deterministic) condition.add("t.deterministic = 1", {});
  if (filter.max_error) condition.add("t.error_ulp <= ?", {*filter.max_error});
  if (filter.objective != Objective::time) condition.add("t.joules IS NOT NULL", {});
  if (filter.session_id) condition.add("t.session_id = ?", {*filter.session_id});
  return condition;
}

std::vector<TrialView> read_views(const Store& store, const Condition& condition, const std::string& rest) {
  static const std::string columns_read =
      "SELECT " + select_list<Trial>() +
      ", k.pattern, k.kernel, c.params, c.params_json,"
      " EXISTS (SELECT 1 FROM certificate x WHERE x.trial_id = t.id), p.id, p.identity, " +
      column_list<Problem>("p.") + ", b.id, b.identity, " + column_list<Board>("b.");
  std::vector<TrialView> views;
  Statement rows(store.connection(), columns_read + joined_tables + condition.sql + " " + rest);
  condition.bind_to(rows);
  while (rows.step()) views.push_back(read_view(store, rows));
  return views;
}

TrialView view_of(const Store& store, Id id) {
  Condition condition;
  condition.add("t.id = ?", {id});
  return std::move(read_views(store, condition).front());
}

std::vector<TrialView> trials(const Store& store, const Filter& filter, std::int64_t limit, Order order) {
  const std::string time =
      order == Order::time
          ? fmt::format("CASE t.provenance WHEN '{}' THEN t.predicted_us ELSE t.median_us END NULLS LAST, ",
                        provenance::predicted)
          : "";
  return read_views(store, condition_of(filter),
                    fmt::format("ORDER BY {}t.created_at DESC, t.id DESC LIMIT {}", time, limit > 0 ? limit : -1));
}

std::optional<double> trials_per_second(const Store& store, std::string_view target, std::string_view provenance) {
  Statement rows(store.connection(),
                 "SELECT COUNT(*) / ((julianday(s.ended_at) - julianday(s.started_at)) * 86400) "
                 "FROM session s JOIN trial t ON t.session_id = s.id "
                 "WHERE s.ended_how = 'complete' AND t.target = ? AND t.provenance = ? AND s.ended_at > s.started_at "
                 "GROUP BY s.id HAVING COUNT(*) >= 20 ORDER BY s.started_at DESC, s.id DESC LIMIT 1");
  rows.bind(target);
  rows.bind(provenance);
  return rows.step() ? std::optional(rows.get<double>(0)) : std::nullopt;
}

std::optional<TrialView> find(const Store& store, std::string_view id_or_identity) {
  Condition condition;
  if (const auto id = parse_count(id_or_identity)) {
    condition.add("t.id = ?", {*id});
    std::vector<TrialView> found = read_views(store, condition);
    if (!found.empty()) return std::move(found.front());
  }
  if (id_or_identity.size() < 4 || id_or_identity.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return std::nullopt;
  }
  condition = {};
  condition.add("t.identity GLOB ?", {std::string(id_or_identity) + "*"});
  std::vector<TrialView> found = read_views(store, condition, "LIMIT 2");
  if (found.size() > 1) {
    throw Error(fmt::format("several trials begin with {}: write more digits.", id_or_identity));
  }
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

BestQuery best_query(const Filter& filter) {
  return {.arch = filter.arch,
          .pattern = filter.pattern,
          .kernel = filter.kernel,
          .settings = filter.settings,
          .types = filter.types,
          .shape = filter.shape,
          .board = filter.board,
          .max_error = filter.max_error,
          .deterministic = filter.deterministic,
          .objective = filter.objective};
}

std::vector<std::string> words_for(const Store& store, const std::string& option) {
  std::set<std::string> words;
  if (option == "--arch" || option == "--board")
    for (const Board& board : store.boards()) words.insert(option == "--arch" ? board.arch : board.model);
  if (option == "--pattern" || option == "--kernel")
    for (const Kernel& kernel : store.kernels()) words.insert(option == "--pattern" ? kernel.pattern : kernel.kernel);
  for (const Problem& problem : store.problems()) {
    if (option == "--type") words.insert(problem.types);
    if (option == "--with") words.insert(settings_text(problem));
    if (option == "--size") words.insert(problem.shape);
  }
  return {words.begin(), words.end()};
}

}  // namespace warpwright::db
