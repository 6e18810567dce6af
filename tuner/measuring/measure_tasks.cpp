// Measuring on GPUs: a thread for each, those of one model together.
#include "tuner/measuring/measure_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "kernels/core/vocabulary.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/say.hpp"
#include "tuner/cost_model/speed_of_light.hpp"
#include "tuner/measuring/compile_ahead.hpp"
#include "tuner/measuring/gpu_lock.hpp"
#include "tuner/measuring/task_queue.hpp"
#include "tuner/measuring/worker_gpu.hpp"
#include "tuner/tasks/stored_counterexamples.hpp"

namespace warpwright::tuner {
namespace {

const std::atomic<bool>& interrupted = program::interrupted();
constexpr std::chrono::milliseconds kPoll{100};

std::string name_of(const gpu::GpuInfo& info) {
  return fmt::format("GPU {}", info.index);
}

/// A GPU of this machine and all that measures on it; made by the thread that asks it, since its worker ends with that.
class Station {
 public:
  Station(const gpu::GpuInfo& info, const CompiledProgram& support, const std::filesystem::path& program)
      : lock_(info.uuid),
        client_(info, support, program, {.asked = &interrupted}),
        watch_([this] { return sensors(); },
               [name = name_of(info)](const std::string& warning) {
                 program::say(fmt::format("tune: warning: {}: {}; times may suffer", name, warning));
               }) {
    at_start_ = client_.sensors();
    const double ratio = client_.sensor_ratio();
    if (!check_sensor(1, ratio).passed)
      throw std::runtime_error(
          fmt::format("the clock of this GPU cannot be trusted: twice the work took {:.2f} times "
                      "as long. Is another process using it? See nvidia-smi",
                      ratio));
    warnings_ = watch_.look();
  }

  /// Needs the shared turn.
  Rig& open(const TuningContext& context, Shared& shared, db::Store& store, db::Environment environment,
            db::Session session) {
    const gpu::GpuInfo& info = client_.info();
    environment.gpu_uuid = info.uuid;
    environment.driver = at_start_.driver.empty() ? info.driver_version : at_start_.driver;
    environment.cuda = info.driver_version;
    environment.ecc = info.ecc;
    session.sm_clock_mhz = at_start_.sm_clock_mhz;
    session.power_w = at_start_.power_w;
    session.temperature_c = at_start_.temperature_c;
    session.warnings = warnings_;
    recorder_.emplace(store, context.catalogue, info.device, "device", environment, session);
    bench_.emplace(context, client_);
    return board_.emplace(shared, *bench_, *recorder_, watch_);
  }

  /// Likewise.
  void close(std::string_view how) {
    if (!recorder_) return;
    db::Session seen = recorder_->session();
    seen.warnings = watch_.seen();
    recorder_->update_session(seen);
    recorder_->end(how);
  }

 private:
  gpu::Sensors sensors() {
    std::optional<Pause> pause;
    if (board_ && board_->turn.owns_lock()) pause.emplace(board_->turn);
    return client_.sensors();
  }

  const GpuLock lock_;
  worker::GpuClient client_;
  GpuWatch watch_;
  gpu::Sensors at_start_;
  std::string warnings_;
  std::optional<Recorder> recorder_;
  std::optional<WorkerGpu> bench_;
  std::optional<Rig> board_;
};

/// The GPUs of one model, and what they work at.
struct Group {
  std::vector<gpu::GpuInfo> gpus;
  std::vector<TuningTask> tasks;
  const TuningContext& context;
  std::shared_future<CompiledProgram> support = {};
  std::optional<Sharing> sharing = {};
  std::vector<std::unique_ptr<Station>> stations = {};
  std::vector<std::exception_ptr> losses = {};                        ///< why GPUs do no work, in their order of time
  enum class Replay { open, under_way, done } replay = Replay::open;  ///< of what was wrong in earlier runs
};

/// All groups of a run, at the same time.
class Crew {
 public:
  Crew(const MeasuringRun& run, std::vector<AlikeGpus> gpus) : run_(run) {
    for (AlikeGpus& alike : gpus) {
      Group& group = groups_.emplace_back(
          Group{.gpus = std::move(alike.gpus), .tasks = std::move(alike.tasks), .context = *alike.context});
      group.support = compile_support(group.context, group.tasks);
    }
  }

  void work() {
    for (Group& group : groups_) {
      if (groups_.size() > 1)
        for (TuningTask& task : group.tasks) task.title = group.context.device.model + ": " + task.title;
      for (TuningTask& task : group.tasks) {
        task.progress = &run_.progress;
        run_.progress.expect(task.title, task.configurations);
      }
      compile_ahead(group.context, group.tasks, run_.request);
      const auto end = [&, tasks = std::span<const TuningTask>(group.tasks)](std::size_t i) {
        return run_.budget.end_of_share(share_of_first(tasks.subspan(i)));
      };
      std::vector<std::string> uuids;
      for (const gpu::GpuInfo& info : group.gpus) uuids.push_back(info.uuid);
      const auto done = [](const MeasuredTask& result) {
        for (const std::string& note : result.notes) program::say("tune: baseline " + note);
      };
      group.sharing.emplace(shared_, Sharing::Task{.catalogue = run_.catalogue,
                                                   .tasks = group.tasks,
                                                   .request = run_.request,
                                                   .end = end,
                                                   .done = done,
                                                   .stop = interrupted,
                                                   .uuids = uuids});
      group.stations.resize(group.gpus.size());
    }
    std::vector<std::jthread> threads;
    for (Group& group : groups_)
      for (std::size_t i = 0; i < group.gpus.size(); ++i)
        threads.emplace_back([&, i] {
          // What fails while a GPU is left out, a full disk, say, is no GPU's fault.
          try {
            drive(group, i);
          } catch (...) {
            fail(std::current_exception());
          }
        });
    threads.clear();
    if (error_) std::rethrow_exception(error_);
    for (const Group& group : groups_)
      if (!interrupted && !(group.sharing->is_done() && group.replay == Group::Replay::done))
        std::rethrow_exception(group.losses.back());
  }

  const std::list<Group>& groups() const { return groups_; }
  int failing() const { return failing_; }

 private:
  /// The thread of one GPU.
  void drive(Group& group, std::size_t number) {
    const gpu::GpuInfo& info = group.gpus[number];
    try {
      measure_on(group, info, group.stations[number]);
    } catch (const Stopped&) {
      if (!interrupted) throw;
      // What was stored before the user stopped it stays.
      const std::scoped_lock lock(shared_.mutex);
      if (group.stations[number]) group.stations[number]->close(ending::interrupted);
    } catch (const GpuLost& lost) {
      leave_out(group, number, lost.what(), lost.cause());
    } catch (const std::exception& fault) {
      if (shared_.failed) throw;
      leave_out(group, number, fault.what(), std::current_exception());
    }
  }

  void measure_on(Group& group, const gpu::GpuInfo& info, std::unique_ptr<Station>& station) {
    const CompiledProgram& support = group.support.get();
    if (!support.ok) throw std::runtime_error("the runtime's own kernels do not compile: " + support.log);
    station = std::make_unique<Station>(info, support, run_.worker(info.device.arch()));
    Rig* board = nullptr;
    {
      const std::scoped_lock lock(shared_.mutex);
      board = &station->open(group.context, shared_, run_.store, run_.environment(), run_.session(info.device.arch()));
    }
    const std::scoped_lock held(board->turn);
    replay_on(group, info, *board);
    group.sharing->work(*board);
    // The board that replays may be lost at it.
    while (group.replay == Group::Replay::under_way && !interrupted && !shared_.failed)
      shared_.changed.wait_for(board->turn, kPoll);
    replay_on(group, info, *board);
    station->close(interrupted ? ending::interrupted : ending::complete);
  }

  /// Where no board of the group has done it.
  void replay_on(Group& group, const gpu::GpuInfo& info, Rig& board) {
    if (group.replay != Group::Replay::open) return;
    group.replay = Group::Replay::under_way;
    const auto end = [&](Group::Replay how) {
      group.replay = how;
      shared_.changed.notify_all();
    };
    try {
      failing_ += replay_stored(group.context, group.tasks, run_.store, &board.turn,
                                {{.device = info.device, .index = info.index}});
    } catch (...) {
      end(Group::Replay::open);
      throw;
    }
    end(Group::Replay::done);
  }

  /// A GPU that does no work, or no more.
  void leave_out(Group& group, std::size_t number, const char* why, const std::exception_ptr& cause) {
    const std::scoped_lock lock(shared_.mutex);
    group.losses.push_back(cause);
    if (group.losses.size() < group.gpus.size())
      program::say(fmt::format("tune: warning: {} is left out, its work is for the others: {}",
                               name_of(group.gpus[number]), why));
    if (auto& station = group.stations[number]) station->close(ending::failed);
  }

  void fail(const std::exception_ptr& error) {
    const std::scoped_lock lock(shared_.mutex);
    shared_.failed = true;
    if (!error_) error_ = error;
  }

  const MeasuringRun& run_;
  Shared shared_;
  std::list<Group> groups_;
  int failing_ = 0;
  std::exception_ptr error_;
};

}  // namespace

bool are_alike(const Device& one, const Device& other) {
  return one.model == other.model && one.compute_capability == other.compute_capability &&
         one.sm_count == other.sm_count && one.memory_bytes == other.memory_bytes;
}

int measure_tasks(const MeasuringRun& run, std::vector<AlikeGpus> gpus, const TaskMeasured& done) {
  Crew crew(run, std::move(gpus));
  crew.work();
  for (const Group& group : crew.groups())
    for (std::size_t i = 0; i < group.tasks.size(); ++i)
      if (const MeasuredTask* const found = group.sharing->result(i))
        done(group.tasks[i], *found, group.context.device);
  return crew.failing();
}

}  // namespace warpwright::tuner
