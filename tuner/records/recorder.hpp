// Writes what a run of `tune` sees into the store.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/query/ceiling.hpp"
#include "db/store/store.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/messages/gpu.hpp"
#include "tuner/cost_model/occupancy.hpp"

namespace warpwright::tuner {

/// Raised when the way of measuring changes so much that stored trials must not be taken over.
inline constexpr int kMeasuringVersion = 2;

/// Likewise for what the model predicts: since 2 it reads the machine code, since 3 it knows chains of blocks, lines of
/// atomics and bulk copies, and what is traced is the problem's own data.
inline constexpr int kPredictingVersion = 3;

/// Likewise for what the host found: since 2 no fault of the machine is a verdict, since 3 races with every lane that
/// read are seen.
inline constexpr int kJudgingVersion = 3;

/// A configuration with everything that was made of it before it was run.
struct CompiledConfiguration {
  const Kernel* kernel = nullptr;
  Point params;
  Plan plan;
  CompiledProgram built;
  std::vector<Occupancy> occupancy;  ///< per launch step of the plan
  std::string warning = {};          ///< what its trials are flagged with, whatever becomes of them
};

/// The rates of a session are the highest that were seen in it, of all sizes; those of the bus where something crossed
/// it.
void raise_ceilings(db::Session& session, const gpu::Rates& seen);
/// What was seen, as rates to hold a problem against.
db::Rates rates_of(const gpu::Rates& seen);

/// Adds a warning, if there is any, to those of the trial.
void warn(db::Trial& trial, const std::string& warning);

/// The median of these, and its interval.
void set_times(db::Trial& trial, const std::vector<double>& microseconds);

/// Rows are stored once and their ids remembered.
class Recorder {
 public:
  Recorder(db::Store& store, const Catalogue& catalogue, const Device& device, const std::string& board_source,
           const db::Environment& environment, db::Session session);

  db::Store& store() { return store_; }
  const db::Session& session() const { return session_; }
  /// Whether another session has stored it since this one began.
  bool is_from_beside(const db::Trial& trial) const {
    return trial.session_id != session_id_ && trial.created_at >= session_.started_at;
  }
  void update_session(const db::Session& session);
  void end(std::string_view how);

  /// What resuming compares: the same for the same machine code, plan, problem, board, driver and way of measuring.
  std::string config_key(const CompiledConfiguration& prepared, const Problem& problem,
                         const std::string& provenance) const;

  /// The same of a measurement: on this GPU, then on the others of these. For any thread.
  std::vector<std::string> measured_keys(const CompiledConfiguration& prepared, const Problem& problem,
                                         std::span<const std::string> gpu_uuids) const;

  /// The same of a prediction that is still to be made, whose programs have those keys: what runs beside this one know
  /// it by.
  std::string claim_key(const CompiledConfiguration& prepared, const Problem& problem,
                        const std::string& programs) const;

  /// A trial of this session with its ids, key and resources filled in; verdict and times are the caller's. `key` is
  /// its config_key, where that is known.
  db::Trial trial(const CompiledConfiguration& prepared, const Problem& problem, const std::string& provenance,
                  std::optional<std::string> key = {});

  /// Stores the trial with its plan, the compiler's log and its samples.
  db::Id store_trial(const CompiledConfiguration& prepared, db::Trial trial, std::span<const double> samples_us = {},
                     std::span<const double> clocks_mhz = {});

  /// A baseline of this session with its ids filled in; the rest is the caller's.
  db::Baseline baseline(const Problem& problem);

  /// How many configurations kernels have for the problem.
  void store_spaces(const Problem& problem, const std::map<const Kernel*, std::size_t>& spaces);

  db::Id problem_id(const Problem& problem);
  db::Id kernel_id(const Kernel& kernel);
  db::Id configuration_id(const Kernel& kernel, const Point& params);
  db::Id board_id() const { return board_id_; }
  std::string arch() const { return device_.arch(); }

 private:
  /// All that a key is the hash of, but the GPU.
  std::string known_by(const CompiledConfiguration& prepared, const Problem& problem, const std::string& provenance,
                       const std::string& code) const;
  std::string key_on(const std::string& gpu_uuid, const std::string& known_by) const;

  db::Store& store_;
  const Catalogue& catalogue_;
  Device device_;
  db::Environment environment_;
  db::Session session_;
  db::Id board_id_ = 0, environment_id_ = 0, session_id_ = 0;
  std::map<std::string, db::Id> kernels_, configurations_, problems_;
};

}  // namespace warpwright::tuner
