// The store: one SQLite file, written and read row by row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "db/store/error.hpp"
#include "db/store/records.hpp"

namespace warpwright::db {

class Connection;

enum class Mode {
  read_write,  // creates the file (not its folder) if it is missing
  read_only,   // works on an immutable file too; changes nothing
};

// $WARPWRIGHT_DB, else $XDG_DATA_HOME/warpwright/warpwright.db, else ~/.local/share/warpwright/warpwright.db. Throws
// Error if none of WARPWRIGHT_DB, XDG_DATA_HOME and HOME is set.
std::filesystem::path default_path();

// A trial's rank among the finalists of its problem, board and provenance.
struct Ranked {
  Id trial_id = 0;
  int rank = 1;  // 1 = best
  bool tied = false;
};

// One open database. Used by one thread; any number of processes may open the same file, and writers wait for one
// another. After the last process closes it, a single file remains. Every function throws Error if the file cannot be
// read or written, or if a record breaks a rule of the schema: an unknown verdict, an id without a row.
class Store {
 public:
  // `path` is a file, or a SQLite URI ("file:...?immutable=1"). The folder of default_path() is created for writing,
  // any other folder must exist. A damaged or foreign file, or one of another version, is refused and stays unchanged.
  explicit Store(const std::filesystem::path& path, Mode mode = Mode::read_write);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;

  const std::filesystem::path& path() const;
  Mode mode() const;

  // Calls f() in one transaction and returns its result; an exception from f undoes all changes. Calls nest: an inner
  // one joins the outer one, and an inner failure undoes the outer one even if f hides the failure. A thousand single
  // writes are slow; a thousand in one transaction are fast.
  template <class F>
  auto transaction(F&& f);

  // Stores a row unless it exists, and returns its id.
  Id upsert(const Board&);
  Id upsert(const Environment&);
  Id upsert(const Kernel&);
  Id upsert(const Configuration&);
  Id upsert(const Problem&);

  // Sessions: `uid`, `started_at` and `program_version` are filled in if empty. update_session writes everything except
  // the uid.
  Id begin_session(const Session&);
  void update_session(Id, const Session&);
  void end_session(Id, std::string_view ended_how);
  Session session(Id) const;

  // Stores a trial with its samples and launches and returns its id; if the same content is already stored, returns its
  // id and replaces the rows of its launches. Trial::rank, tied and selection are ignored (see set_ranking).
  Id add_trial(const Trial&, std::span<const double> samples_us = {}, std::span<const double> clocks_mhz = {},
               std::span<const Launch> launches = {});

  // The newest conclusive trial with that key: neither skipped, nor measured without a check.
  std::optional<Trial> find_trial(std::string_view config_key) const;
  // Throws Error if there is no such trial.
  Trial trial(Id) const;
  Samples samples(Id trial_id) const;
  std::vector<Launch> launches(Id trial_id) const;  // by number

  // Stores or replaces that step of a trial.
  void put_step(const StepTime&);
  std::vector<StepTime> steps(Id trial_id) const;  // by number

  // Makes these the finalists of (problem, board, provenance). Predicted finalists replace earlier ones; each session
  // has its own measured finalists. Every trial must belong to that group. `moment` is the time of the ranking, as
  // now_utc() writes it; empty means now.
  void set_ranking(Id problem_id, Id board_id, std::string_view provenance, std::span<const Ranked> finalists,
                   std::string_view moment = {});

  // The trials of its latest ranking, the best first.
  std::vector<Trial> ranking(Id problem_id, Id board_id, std::string_view provenance) const;

  Id add_certificate(const Certificate&);
  std::vector<Certificate> certificates(Id trial_id) const;

  void put_access(const Access&);
  // By launch, as counted for that architecture; if there are none, for the first other one.
  std::vector<Access> accesses(Id configuration_id, Id problem_id, std::string_view arch) const;

  // Stores or replaces the number of configurations.
  void put_space(const Space&);

  Id add_baseline(const Baseline&);
  Id add_comparison(const Comparison&);

  Id upsert(const PlanText&);
  // Throws Error if there is none.
  PlanText plan(Id) const;

  // Stores or replaces that mutant.
  void put_mutant(const Mutant&);

  // Conformance runs: the same as for sessions.
  Id begin_conformance_run(const ConformanceRun&);
  void update_conformance_run(Id, const ConformanceRun&);
  void end_conformance_run(Id, std::string_view ended_how, std::int64_t cases, std::int64_t failures,
                           std::int64_t refused);

  // Records that a case failed just now: a new line, or a known one seen again (which is then neither fixed nor
  // obsolete).
  void saw_counterexample(const Counterexample&);
  // Records that the line passes now.
  void fixed_counterexample(std::string_view repro);
  // Records that the line can no longer be replayed, and why.
  void obsolete_counterexample(std::string_view repro, std::string_view why);
  // Gives a line its new spelling; if that line is stored too, both become one row.
  void rewrite_counterexample(std::string_view old_repro, std::string_view new_repro);
  // Counterexamples to replay, oldest first: of kernels "pattern/kernel" matching the glob; fixed and obsolete ones
  // only if `all`.
  std::vector<Counterexample> counterexamples(std::string_view glob = "*", bool all = false) const;

  // All rows, oldest first. (Trials: db/query/query.hpp.)
  std::vector<Board> boards() const;
  std::vector<Environment> environments() const;
  std::vector<Kernel> kernels() const;
  std::vector<Configuration> configurations() const;
  std::vector<Problem> problems() const;
  std::vector<Session> sessions() const;
  std::vector<Access> accesses() const;
  std::vector<Baseline> baselines() const;
  std::vector<Comparison> comparisons() const;
  std::vector<ConformanceRun> conformance_runs() const;
  std::vector<Mutant> mutants() const;  // by kernel, file, line and rule

  // For the other files of db/ only.
  Connection& connection() const;

 private:
  void begin();
  void commit();
  void rollback() noexcept;

  std::unique_ptr<Connection> connection_;
};

template <class F>
auto Store::transaction(F&& f) {
  begin();
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(f)();
      commit();
    } else {
      auto result = std::forward<F>(f)();
      commit();
      return result;
    }
  } catch (...) {
    rollback();
    throw;
  }
}

}  // namespace warpwright::db
