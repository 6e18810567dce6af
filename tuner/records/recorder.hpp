// Stores the results of a run of `tune`.
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

/// To be raised when measuring changes so much that stored trials must not be reused.
inline constexpr int kMeasuringVersion = 2;

/// The same for predictions. Since 2 the model reads machine code; since 3 it knows chains of blocks, atomics on one
/// line and bulk copies, and traces the problem's own data; since 4 the mode of a trial contains this version;
/// since 5 jobs are traced in the tuned problem, and trials say what limits them and how wrong they may be; since 6
/// exchanges between the lanes of a warp take time.
inline constexpr int kPredictingVersion = 6;

/// The same for the simulator's findings. Since 2 a fault of the environment is no verdict; since 3 races with every
/// lane that read are found.
inline constexpr int kSimulatorVersion = 3;

/// A configuration with everything that is made from it before it runs.
struct CompiledConfiguration {
  const Kernel* kernel = nullptr;
  Point params;
  Plan plan;
  CompiledProgram built;
  std::vector<int> most_threads = {};  ///< of a block of each launch, by the kernel's __launch_bounds__; 0: any
  std::vector<Occupancy> occupancy;    ///< for each launch step of the plan
  std::string warning = {};            ///< added to all its trials
};

/// Raises the rates of a session to the highest seen in it, over all sizes; the bus only if data crossed it.
void raise_rates(db::Session& session, const gpu::Rates& seen);
/// The measured rates as ceilings.
db::Rates rates_of(const gpu::Rates& seen);

/// Appends a warning, unless it is empty, to those of the trial.
void warn(db::Trial& trial, const std::string& warning);

/// Stores the median of these times and its confidence interval.
void set_times(db::Trial& trial, const std::vector<double>& microseconds);

/// Raises the trial's errors to these, where they are known.
void set_accuracy(db::Trial& trial, const Accuracy& accuracy);

/// Stores each row once and remembers its id.
class Recorder {
 public:
  Recorder(db::Store& store, const Catalogue& catalogue, const Device& device, const std::string& board_source,
           const db::Environment& environment, db::Session session);

  db::Store& store() { return store_; }
  const Catalogue& catalogue() const { return catalogue_; }
  const db::Session& session() const { return session_; }
  /// Whether another session has stored the trial since this one began.
  bool is_from_beside(const db::Trial& trial) const {
    return trial.session_id != session_id_ && trial.created_at >= session_.started_at;
  }
  void update_session(const db::Session& session);
  void end(std::string_view how);

  /// The key by which resuming recognizes a trial: equal for the same machine code, plan, problem, board, driver and
  /// version of measuring.
  std::string config_key(const CompiledConfiguration& configuration, const Problem& problem,
                         const std::string& provenance) const;

  /// The keys of a measurement, first on this GPU, then on the other GPUs. Thread-safe.
  std::vector<std::string> measured_keys(const CompiledConfiguration& configuration, const Problem& problem,
                                         std::span<const std::string> gpu_uuids) const;

  /// The key of a prediction not made yet, from the keys of its programs; other runs on the database recognize the work
  /// by it.
  std::string lease_key(const CompiledConfiguration& configuration, const Problem& problem,
                        const std::string& programs) const;

  /// A trial of this session with its ids, key and resources; the caller adds verdict and times. `key` is its
  /// config_key, if known.
  db::Trial trial(const CompiledConfiguration& configuration, const Problem& problem, const std::string& provenance,
                  std::optional<std::string> key = {});

  /// Stores the trial with its plan, the compile log and its samples.
  db::Id store_trial(const CompiledConfiguration& configuration, db::Trial trial,
                     std::span<const double> samples_us = {}, std::span<const double> clocks_mhz = {});

  /// A baseline of this session with its ids; the caller adds the rest.
  db::Baseline baseline(const Problem& problem);

  /// Stores how many configurations kernels have for the problem.
  void store_spaces(const Problem& problem, const std::map<const Kernel*, std::size_t>& spaces);

  db::Id problem_id(const Problem& problem);
  db::Id kernel_id(const Kernel& kernel);
  db::Id configuration_id(const Kernel& kernel, const Point& params);
  db::Id board_id() const { return board_id_; }
  std::string arch() const { return device_.arch(); }

 private:
  /// The text that is hashed for a key, without the GPU.
  std::string known_by(const CompiledConfiguration& configuration, const Problem& problem,
                       const std::string& provenance, const std::string& code) const;
  std::string key_on(const std::string& gpu_uuid, const std::string& known_by) const;

  db::Store& store_;
  const Catalogue& catalogue_;
  Device device_;
  db::Environment environment_;
  db::Session session_;
  db::Id board_id_ = 0, environment_id_ = 0, session_id_ = 0;
  std::map<std::string, db::Id> kernels_, configurations_, problems_;
  std::map<std::string, std::vector<std::string>> reach_;  ///< how params reach the code, by user's kernel
};

}  // namespace warpwright::tuner
