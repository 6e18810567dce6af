// Implements the store's functions, each as a transaction of a few statements.
#include "db/store/store.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <random>
#include <stdexcept>

#include "db/store/connection.hpp"
#include "db/store/identities.hpp"
#include "db/store/rows.hpp"
#include "kernels/core/shape.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

namespace fs = std::filesystem;

std::string random_hex() {
  std::random_device source;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", source(), source(), source(), source());
}

// Begins a session or a conformance run.
template <class R>
Id begin_run(Connection& connection, R run) {
  if (run.uid.empty()) run.uid = random_hex();
  if (run.program_version.empty()) run.program_version = WARPWRIGHT_VERSION;
  run.started_at = or_now(run.started_at);
  run.updated_at = now_utc();
  return insert_row(connection, run, identity(connection, run));
}

template <class R>
void update_run(Connection& connection, Id id, R run) {
  const R stored = row_of<R>(connection, id);
  if (run.started_at.empty()) run.started_at = stored.started_at;
  if (run.program_version.empty()) run.program_version = stored.program_version;
  run.updated_at = now_utc();
  update_row(connection, id, run);
}

bool is_default(const fs::path& path) {
  try {
    return path == default_path();
  } catch (const Error&) {
    return false;
  }
}

// Invalid times must not be stored, because the choice of best configurations would use them.
void require_finite_times(const Trial& trial) {
  for (const auto& time : {trial.median_us, trial.low_us, trial.high_us, trial.predicted_us}) {
    if (time && !(*time >= 0 && *time < 1e300)) {
      throw Error(fmt::format("a trial's time is {} us; times are finite and not negative.", *time));
    }
  }
}

}  // namespace

fs::path default_path() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
  };
  if (const fs::path path = variable("WARPWRIGHT_DB"); !path.empty()) return path;
  const fs::path below = fs::path("warpwright") / "warpwright.db";
  // The specification of XDG_DATA_HOME says to ignore a relative path.
  if (const fs::path data = variable("XDG_DATA_HOME"); data.is_absolute()) return data / below;
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".local" / "share" / below;
  throw Error("no place for the database: neither WARPWRIGHT_DB, XDG_DATA_HOME nor HOME is set. Use --db FILE.");
}

Store::Store(const fs::path& path, Mode mode) {
  if (mode == Mode::read_write && is_default(path)) {
    std::error_code error;  // a folder that could not be made is reported on opening
    fs::create_directories(path.parent_path(), error);
  }
  connection_ = std::make_unique<Connection>(path, mode);
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;

const fs::path& Store::path() const {
  return connection_->path();
}
Mode Store::mode() const {
  return connection_->mode();
}
Connection& Store::connection() const {
  return *connection_;
}

void Store::begin() {
  connection_->begin();
}
void Store::commit() {
  connection_->commit();
}
void Store::rollback() noexcept {
  connection_->rollback();
}

Id Store::upsert(const Board& board) {
  return transaction([&] {
    // A board without known lanes (from a recording) does not replace known ones.
    if (board.fp32_lanes_per_sm + board.fp64_lanes_per_sm == 0)
      if (const auto known = find_identity(*connection_, "board", identity(*connection_, board))) return *known;
    return upsert_row(*connection_, board);
  });
}

Id Store::upsert(const Environment& environment) {
  return transaction([&] { return upsert_row(*connection_, environment); });
}

Id Store::upsert(const Kernel& kernel) {
  return transaction([&] {
    Kernel row = kernel;
    row.updated_at = now_utc();
    const auto known = find_identity(*connection_, "kernel", identity(*connection_, row));
    if (known) {
      const Kernel stored = row_of<Kernel>(*connection_, *known);
      if (stored.source_hash == row.source_hash && stored.axes == row.axes &&
          stored.default_params == row.default_params) {
        return *known;
      }
    }
    return upsert_row(*connection_, row);
  });
}

Id Store::upsert(const Configuration& configuration) {
  return transaction([&] { return upsert_row(*connection_, configuration); });
}

Id Store::upsert(const Problem& problem) {
  try {
    parse_shape(problem.shape);
  } catch (const std::invalid_argument& no_shape) {
    throw Error(fmt::format("a problem of {}: {}", problem.pattern, no_shape.what()));
  }
  return transaction([&] {
    const bool costed = problem.bytes_read + problem.bytes_written + problem.operations + problem.steps > 0;
    if (!costed) {  // never replaces known costs
      if (const auto known = find_identity(*connection_, "problem", identity(*connection_, problem))) return *known;
    }
    return upsert_row(*connection_, problem);
  });
}

Id Store::begin_session(const Session& session) {
  return transaction([&] { return begin_run(*connection_, session); });
}

void Store::update_session(Id id, const Session& session) {
  transaction([&] { update_run(*connection_, id, session); });
}

void Store::end_session(Id id, std::string_view ended_how) {
  transaction([&] {
    Session session = row_of<Session>(*connection_, id);
    session.ended_at = now_utc();
    session.ended_how = ended_how;
    update_run(*connection_, id, session);
  });
}

Session Store::session(Id id) const {
  return row_of<Session>(*connection_, id);
}

Id Store::add_trial(const Trial& trial, std::span<const double> samples_us, std::span<const double> clocks_mhz,
                    std::span<const Launch> launches) {
  require_finite_times(trial);
  if (!clocks_mhz.empty() && clocks_mhz.size() != samples_us.size()) {
    throw Error(fmt::format("a trial has {} samples but {} clocks.", samples_us.size(), clocks_mhz.size()));
  }
  return transaction([&] {
    Trial row = trial;
    row.created_at = or_now(row.created_at);
    const std::string own = identity(*connection_, row, samples_us, clocks_mhz);
    const auto known = find_identity(*connection_, "trial", own);
    const Id id = known ? *known : insert_row(*connection_, row, own);
    if (!known && !samples_us.empty()) {
      Statement sample(*connection_, "INSERT INTO sample (trial_id, microseconds, clocks_mhz) VALUES (?, ?, ?)");
      sample.bind_all(id, std::vector(samples_us.begin(), samples_us.end()),
                      std::vector(clocks_mhz.begin(), clocks_mhz.end()));
      sample.step();
    }
    for (Launch launch : launches) {
      launch.trial_id = id;
      upsert_row(*connection_, launch);
    }
    return id;
  });
}

std::optional<Trial> Store::find_trial(std::string_view config_key) const {
  static const std::string condition = fmt::format(
      "WHERE t.config_key = ? AND t.verdict NOT IN ('{}', '{}') AND NOT (t.provenance = '{}' AND t.verdict = '{}') "
      "ORDER BY t.created_at DESC, t.identity LIMIT 1",
      verdict::skipped, verdict::not_run, provenance::measured, verdict::unchecked);
  std::vector<Trial> trials = read_rows<Trial>(*connection_, condition, config_key);
  return trials.empty() ? std::nullopt : std::optional(std::move(trials.front()));
}

Trial Store::trial(Id id) const {
  return row_of<Trial>(*connection_, id);
}

Samples Store::samples(Id trial_id) const {
  return samples_of(*connection_, trial_id);
}

std::vector<Launch> Store::launches(Id trial_id) const {
  return read_rows<Launch>(*connection_, "WHERE t.trial_id = ? ORDER BY t.number", trial_id);
}

void Store::put_step(const StepTime& step) {
  transaction([&] { upsert_row(*connection_, step); });
}

std::vector<StepTime> Store::steps(Id trial_id) const {
  return read_rows<StepTime>(*connection_, "WHERE t.trial_id = ? ORDER BY t.number", trial_id);
}

void Store::set_ranking(Id problem_id, Id board_id, std::string_view provenance, std::span<const Ranked> finalists,
                        std::string_view moment) {
  const std::string selection = (moment.empty() ? now_utc() : std::string(moment)) + " " + random_hex();
  transaction([&] {
    Statement clear(*connection_,
                    "UPDATE trial SET rank = NULL, tied = 0, selection = '' "
                    "WHERE +problem_id = ?1 AND +board_id = ?2 AND +provenance = ?3 AND selection > '' "
                    "AND (?3 = 'predicted' OR session_id IS (SELECT session_id FROM trial WHERE id = ?4))");
    clear.bind_all(problem_id, board_id, provenance, finalists.empty() ? 0 : finalists.front().trial_id);
    clear.step();
    for (const Ranked& finalist : finalists) {
      Statement set(*connection_,
                    "UPDATE trial SET rank = ?, tied = ?, selection = ? "
                    "WHERE id = ? AND problem_id = ? AND board_id = ? AND provenance = ?");
      set.bind_all(finalist.rank, finalist.tied, selection, finalist.trial_id, problem_id, board_id, provenance);
      set.step();
      if (connection_->database().getChanges() == 0) {
        throw Error(fmt::format("{}: trial {} is not a {} trial of problem {} on board {}.", path().string(),
                                finalist.trial_id, provenance, problem_id, board_id));
      }
    }
    seal_ranking(*connection_, selection);
  });
}

std::vector<Trial> Store::ranking(Id problem_id, Id board_id, std::string_view provenance) const {
  return read_rows<Trial>(*connection_,
                          "WHERE t.selection = (SELECT max(l.selection) FROM trial l WHERE +l.problem_id = ?"
                          " AND +l.board_id = ? AND +l.provenance = ? AND l.selection > '')"
                          " ORDER BY t.rank, t.identity",
                          problem_id, board_id, provenance);
}

Id Store::add_certificate(const Certificate& certificate) {
  return transaction([&] {
    if (trial(certificate.trial_id).provenance == provenance::imported)
      throw Error(
          fmt::format("trial {} was imported: only what was measured here is certified.", certificate.trial_id));
    Certificate row = certificate;
    row.created_at = or_now(row.created_at);
    return upsert_row(*connection_, row);
  });
}

std::vector<Certificate> Store::certificates(Id trial_id) const {
  return read_rows<Certificate>(*connection_, "WHERE t.trial_id = ? ORDER BY t.created_at, t.identity", trial_id);
}

void Store::put_access(const Access& access) {
  transaction([&] {
    Access row = access;
    row.updated_at = now_utc();
    upsert_row(*connection_, row);
  });
}

std::vector<Access> Store::accesses(Id configuration_id, Id problem_id, std::string_view arch) const {
  std::vector<Access> rows = read_rows<Access>(*connection_,
                                               "WHERE t.configuration_id = ? AND t.problem_id = ?"
                                               " ORDER BY t.target <> 'host/' || ?, t.target, t.launch",
                                               configuration_id, problem_id, arch);
  std::erase_if(rows,
                [target = rows.empty() ? "" : rows.front().target](const Access& row) { return row.target != target; });
  return rows;
}

void Store::put_space(const Space& space) {
  transaction([&] {
    Space row = space;
    row.updated_at = now_utc();
    upsert_row(*connection_, row);
  });
}

Id Store::add_baseline(const Baseline& baseline) {
  return transaction([&] {
    Baseline row = baseline;
    row.created_at = or_now(row.created_at);
    return upsert_row(*connection_, row);
  });
}

Id Store::add_comparison(const Comparison& comparison) {
  return transaction([&] {
    Comparison row = comparison;
    row.created_at = or_now(row.created_at);
    return upsert_row(*connection_, row);
  });
}

Id Store::upsert(const PlanText& plan) {
  return transaction([&] { return upsert_row(*connection_, plan); });
}

PlanText Store::plan(Id id) const {
  return row_of<PlanText>(*connection_, id);
}

void Store::put_mutant(const Mutant& mutant) {
  transaction([&] {
    Mutant row = mutant;
    row.updated_at = now_utc();
    upsert_row(*connection_, row);
  });
}

Id Store::begin_conformance_run(const ConformanceRun& run) {
  return transaction([&] { return begin_run(*connection_, run); });
}

void Store::update_conformance_run(Id id, const ConformanceRun& run) {
  transaction([&] { update_run(*connection_, id, run); });
}

void Store::end_conformance_run(Id id, std::string_view ended_how, std::int64_t cases, std::int64_t failures,
                                std::int64_t refused) {
  transaction([&] {
    ConformanceRun run = row_of<ConformanceRun>(*connection_, id);
    run.ended_at = now_utc();
    run.ended_how = ended_how;
    run.cases = cases;
    run.failures = failures;
    run.refused = refused;
    update_run(*connection_, id, run);
  });
}

std::vector<Board> Store::boards() const {
  return read_rows<Board>(*connection_, "ORDER BY t.id");
}
std::vector<Environment> Store::environments() const {
  return read_rows<Environment>(*connection_, "ORDER BY t.id");
}
std::vector<Kernel> Store::kernels() const {
  return read_rows<Kernel>(*connection_, "ORDER BY t.id");
}
std::vector<Problem> Store::problems() const {
  return read_rows<Problem>(*connection_, "ORDER BY t.id");
}
std::vector<Access> Store::accesses() const {
  return read_rows<Access>(*connection_, "ORDER BY t.id");
}

std::vector<Configuration> Store::configurations() const {
  return read_rows<Configuration>(*connection_, "ORDER BY t.id");
}

std::vector<Session> Store::sessions() const {
  return read_rows<Session>(*connection_, "ORDER BY t.started_at, t.uid");
}

std::vector<Baseline> Store::baselines() const {
  return read_rows<Baseline>(*connection_, "ORDER BY t.created_at, t.identity");
}

std::vector<Comparison> Store::comparisons() const {
  return read_rows<Comparison>(*connection_, "ORDER BY t.created_at, t.identity");
}

std::vector<Mutant> Store::mutants() const {
  return read_rows<Mutant>(*connection_, "ORDER BY t.kernel, t.file, t.line, t.rule, t.change, t.tool");
}

std::vector<ConformanceRun> Store::conformance_runs() const {
  return read_rows<ConformanceRun>(*connection_, "ORDER BY t.started_at, t.uid");
}

}  // namespace warpwright::db
