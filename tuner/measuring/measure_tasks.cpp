// Measures on GPUs: one thread for each; GPUs of one model work together, and all models at the same time.
#include "tuner/measuring/measure_tasks.hpp"

#include <fmt/format.h>

#include <list>
#include <memory>
#include <span>
#include <thread>
#include <utility>

#include "kernels/core/vocabulary.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/say.hpp"
#include "tuner/measuring/compile_ahead.hpp"
#include "tuner/measuring/opened_gpu.hpp"
#include "tuner/measuring/task_queue.hpp"
#include "tuner/tasks/stored_counterexamples.hpp"

namespace warpwright::tuner {
namespace {

const std::atomic<bool>& interrupted = program::interrupted();

/// Shared by the GPUs of all models in a run.
struct SharedByModels {
  std::mutex store;                  ///< locked while a thread uses the store
  std::mutex bus;                    ///< locked while one GPU uses the bus alone
  std::atomic<bool> failed = false;  ///< something failed that no GPU caused: all end
  std::mutex errors;                 ///< guards the members below, and the models' losses
  std::exception_ptr error = {};     ///< the first such fault
};

std::vector<TuningTask> ordered(const std::vector<TuningTask>& tasks, const std::vector<std::size_t>& order) {
  std::vector<TuningTask> found;
  for (const std::size_t i : order) found.push_back(tasks[i]);
  return found;
}

/// The GPUs of one model, and the tasks that they measure together.
class ModelRun {
 public:
  ModelRun(const MeasuringRun& run, SharedByModels& shared, AlikeGpus alike)
      : run_(run),
        shared_(shared),
        gpus_(std::move(alike.gpus)),
        order_(smallest_first(alike.tasks)),
        tasks_(ordered(alike.tasks, order_)),
        context_(*alike.context),
        support_(compile_support(context_, tasks_)),
        opened_(gpus_.size()) {}

  void prepare(bool has_other_models) {
    for (TuningTask& task : tasks_) {
      if (has_other_models) task.title = context_.device.model + ": " + task.title;
      task.progress = &run_.progress;
      run_.progress.expect(task.title, task.configurations);
    }
    compile_ahead(context_, tasks_, run_.request);
    std::vector<std::string> uuids;
    for (const gpu::GpuInfo& info : gpus_) uuids.push_back(info.uuid);
    const auto end = [this](std::size_t i) {
      return run_.budget.end_of_share(share_of_first(std::span<const TuningTask>(tasks_).subspan(i)));
    };
    const auto done = [](const TaskResult& result) {
      for (const std::string& note : result.notes) program::say("tune: baseline " + note);
    };
    queue_.emplace(TaskQueue::Options{.catalogue = run_.catalogue,
                                      .tasks = tasks_,
                                      .request = run_.request,
                                      .end = end,
                                      .done = done,
                                      .stop = interrupted,
                                      .failed = shared_.failed,
                                      .uuids = std::move(uuids)});
  }

  void start(std::vector<std::jthread>& threads) {
    for (std::size_t i = 0; i < gpus_.size(); ++i)
      threads.emplace_back([this, i] {
        // A failure while a GPU is left out, such as a full disk, is no GPU's fault.
        try {
          drive(i);
        } catch (...) {
          const std::scoped_lock lock(shared_.errors);
          shared_.failed = true;
          if (!shared_.error) shared_.error = std::current_exception();
        }
      });
  }

  /// To be called after the threads have ended: if work is left, throws the error by which the last GPU was lost.
  void check() const {
    if (!interrupted && !(queue_->is_done() && has_replayed_)) std::rethrow_exception(losses_.back());
  }

  /// In the order of the request. Returns how many counterexamples of earlier runs still fail.
  int report(const TaskMeasured& done) const {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto task = static_cast<std::size_t>(std::ranges::find(order_, i) - order_.begin());
      if (const TaskResult* const found = queue_->result(task)) done(tasks_[task], *found, context_.device);
    }
    return failing_;
  }

 private:
  /// The thread of one GPU.
  void drive(std::size_t number) {
    try {
      measure_on(number);
    } catch (const Stopped&) {
      if (!interrupted) throw;
      // Trials that were stored before the user's stop stay.
      end_session(number, ending::interrupted);
    } catch (const GpuLost& lost) {
      leave_out(number, lost.what(), lost.cause());
    } catch (const std::exception& fault) {
      if (shared_.failed) throw;
      leave_out(number, fault.what(), std::current_exception());
    }
  }

  void measure_on(std::size_t number) {
    const gpu::GpuInfo& info = gpus_[number];
    const CompiledProgram& support = support_.get();
    if (!support.ok)
      throw std::runtime_error("warpwright's kernels for measuring do not compile (is this toolkit supported?): " +
                               support.log);
    opened_[number] = std::make_unique<OpenedGpu>(info, support, run_.worker(info.device.arch()));
    if (run_.request.objective != Objective::time) opened_[number]->require_energy_counter();
    GpuThread* thread = nullptr;
    {
      const std::scoped_lock lock(shared_.store);
      thread = &opened_[number]->begin(context_, run_.store, shared_.store, shared_.bus, run_.environment(),
                                       run_.session(info.device.arch()));
    }
    replay(info, std::unique_lock(replay_mutex_, std::try_to_lock));
    queue_->work(*thread);
    // The GPU that replays may be lost meanwhile. If the whole run has failed, nobody waits for it.
    if (!shared_.failed) replay(info, std::unique_lock(replay_mutex_));
    end_session(number, interrupted ? ending::interrupted : ending::complete);
  }

  /// Tries the counterexamples of earlier runs again, unless another GPU has done that, or is doing it.
  void replay(const gpu::GpuInfo& info, const std::unique_lock<std::mutex>& own) {
    if (!own.owns_lock() || has_replayed_) return;
    failing_ +=
        replay_stored(context_, tasks_, run_.store, &shared_.store, {{.device = info.device, .index = info.index}});
    has_replayed_ = true;
  }

  /// Leaves out a GPU that cannot work, or no longer.
  void leave_out(std::size_t number, const char* why, const std::exception_ptr& cause) {
    {
      const std::scoped_lock lock(shared_.errors);
      losses_.push_back(cause);
      if (losses_.size() < gpus_.size())
        program::say(
            fmt::format("tune: warning: GPU {} is left out, and the others do its work: {}", gpus_[number].index, why));
    }
    end_session(number, ending::failed);
  }

  void end_session(std::size_t number, std::string_view how) {
    const std::scoped_lock lock(shared_.store);
    if (opened_[number]) opened_[number]->end(how);
  }

  const MeasuringRun& run_;
  SharedByModels& shared_;
  const std::vector<gpu::GpuInfo> gpus_;
  const std::vector<std::size_t> order_;  ///< positions in the request, in the order in which tasks are measured
  std::vector<TuningTask> tasks_;         ///< in that order
  const TuningContext& context_;
  const worker::CompileResult support_;
  std::optional<TaskQueue> queue_;
  std::vector<std::unique_ptr<OpenedGpu>> opened_;
  std::vector<std::exception_ptr> losses_;  ///< why GPUs do not work, in order of time
  std::mutex replay_mutex_;                 ///< locked by the GPU that replays
  bool has_replayed_ = false;
  int failing_ = 0;
};

}  // namespace

bool are_alike(const Device& one, const Device& other) {
  return one.model == other.model && one.compute_capability == other.compute_capability &&
         one.sm_count == other.sm_count && one.memory_bytes == other.memory_bytes;
}

int measure_tasks(const MeasuringRun& run, std::vector<AlikeGpus> gpus, const TaskMeasured& done) {
  SharedByModels shared;
  std::list<ModelRun> models;
  for (AlikeGpus& alike : gpus) models.emplace_back(run, shared, std::move(alike));
  for (ModelRun& model : models) model.prepare(models.size() > 1);
  std::vector<std::jthread> threads;
  for (ModelRun& model : models) model.start(threads);
  threads.clear();
  if (shared.error) std::rethrow_exception(shared.error);
  for (const ModelRun& model : models) model.check();
  int failing = 0;
  for (const ModelRun& model : models) failing += model.report(done);
  return failing;
}

}  // namespace warpwright::tuner
