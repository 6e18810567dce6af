// Runs the properties of many kernels.
#include "conformance/suite/suite.hpp"
#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/sample_points.hpp"
#include "kernels/system/say.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace warpwright::conformance {
namespace {

/// Time limit of a slice, counted from the end of its first case.
constexpr std::chrono::seconds kSlice{5};
constexpr std::chrono::milliseconds kPoll{100};

/// Worker threads take one kernel after another; with a deadline they start over with new seeds.
class SuiteRun {
 public:
  SuiteRun(const Catalogue& catalogue, worker::Compiler& compiler, const SuiteOptions& options,
           const std::function<void(const PropertyReport&)>& progress)
      : catalogue_(catalogue), compiler_(compiler), options_(options), progress_(progress) {
    for (const Kernel* kernel : catalogue.matching(options.globs)) {
      PropertyReport& property = report_.properties.emplace_back();
      property.kernel = kernel;
      property.fault = fault_of_default(catalogue.pattern(kernel->pattern), *kernel, device());
      if (property.fault.empty()) order_.push_back(report_.properties.size() - 1);
    }
    properties_.resize(report_.properties.size());
    std::ranges::stable_sort(order_, {}, [&](std::size_t index) {
      const auto came = options.came.find(report_.properties[index].kernel->full_name());
      return came == options.came.end() ? 0 : came->second;
    });
  }

  SuiteReport run() {
    unsigned jobs = options_.jobs;
    const bool on_host = is_host(options_.target);
    const auto gpus = static_cast<unsigned>(options_.gpus.size());
    if (jobs == 0) jobs = on_host ? std::max(1U, std::thread::hardware_concurrency()) : gpus;
    // Without a deadline each kernel has only one slice.
    if (!options_.stop.deadline) jobs = std::min(jobs, static_cast<unsigned>(order_.size()));
    workers_ = jobs;
    for (const PropertyReport& property : report_.properties)
      if (!property.fault.empty()) progress_(property);
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < jobs; ++i)
      threads.emplace_back([this, gpu = on_host ? std::nullopt : std::optional(options_.gpus.at(i % gpus))] {
        try {
          work(gpu);
        } catch (const Stopped&) {
          // Properties that were not begun count as not run.
        } catch (...) {
          const std::scoped_lock lock(mutex_);
          if (!error_) error_ = std::current_exception();
        }
      });
    threads.clear();
    if (error_) std::rethrow_exception(error_);
    report_.seconds = std::chrono::duration<double>(Stop::Clock::now() - begin_).count();
    return report_;
  }

 private:
  struct Slice {
    std::size_t kernel = 0;
    std::size_t number = 0;
  };

  const Device& device() const {
    return is_host(options_.target) ? host_device(options_.target) : options_.gpus.at(0).device;
  }

  /// The property options of a kernel. Not thread-safe.
  const PropertyOptions& property_of(std::size_t index) {
    std::optional<PropertyOptions>& known = properties_[index];
    if (known) return *known;
    const Kernel& kernel = *report_.properties[index].kernel;
    const auto problems = problems_of(catalogue_.pattern(kernel.pattern), kernel, device());
    known = {
        .target = options_.target,
        .cases = options_.cases,
        .seed = options_.seed,
        .params = sample_points(kernel, surroundings_of(problems.front(), device()), options_.points, options_.seed),
        .problems = problems,
        .max_steps = options_.max_steps,
        .deadline = options_.stop.deadline,
        .stop = options_.stop.asked};
    if (options_.samples_tuned_shapes || !kernel.file.empty())
      known->sampled = catalogue_.pattern(kernel.pattern).tuning_shapes;
    // Each shape that a job names for its checks is in a case of its own, if this does not take too long.
    if (!kernel.file.empty()) known->shapes = kernel.edges(kernel.default_point, problems.front());
    std::erase_if(known->shapes, [&](const std::vector<std::int64_t>& shape) {
      Problem problem = problems.front();
      problem.shape = shape;
      return most_steps_of(catalogue_.pattern(kernel.pattern), kernel, kernel.default_point, problem) >
             kReach * options_.max_steps;
    });
    return *known;
  }

  /// Whether the kernel failed, or refused everything in several slices.
  bool is_done(const PropertyReport& property) const {
    constexpr std::size_t kSlicesForRefusals = 6;
    return !property.ok() || !property.fault.empty() ||
           (slice_ >= kSlicesForRefusals && property.verdict() == Verdict::skipped);
  }

  /// The next kernel and slice; nothing when all are done. A kernel that failed is not run again.
  std::optional<Slice> next() {
    while (true) {
      if (error_ || options_.stop.is_now()) return std::nullopt;
      if (!given_back_.empty()) {
        const Slice slice = given_back_.back();
        given_back_.pop_back();
        return slice;
      }
      if (std::ranges::all_of(report_.properties, [this](const PropertyReport& p) { return is_done(p); }))
        return std::nullopt;
      if (next_ == order_.size()) {
        if (!options_.stop.deadline) return std::nullopt;
        next_ = 0;
        ++slice_;
      }
      const Slice slice{.kernel = order_[next_], .number = slice_};
      ++next_;
      if (!is_done(report_.properties[slice.kernel])) return slice;
    }
  }

  std::optional<std::pair<Slice, PropertyOptions>> next_property() {
    std::unique_lock lock(mutex_);
    auto slice = next();
    // Work on another GPU may be given back.
    while (!slice && options_.gpus.size() > 1 && slices_in_progress_ > 0 && !error_ && !options_.stop.is_now()) {
      changed_.wait_for(lock, kPoll);
      slice = next();
    }
    if (!slice) return std::nullopt;
    ++slices_in_progress_;
    PropertyOptions property = property_of(slice->kernel);
    property.drawn_before = report_.properties[slice->kernel].cases;
    property.accesses_per_step = report_.properties[slice->kernel].accesses_per_step;
    property.seed = seed_of_slice(slice->number);
    if (options_.stop.deadline) {
      property.cases = cases_of_slice(slice->number, options_.cases);
      property.slice = kSlice;
    }
    if (slice->number > 0)
      property.sampled.clear();
    else
      property.cases = std::max(property.cases, static_cast<int>(property.shapes.size()) + 1);
    return std::pair{*slice, std::move(property)};
  }

  /// Adds the results of more cases of a job's kernel until it has had its least time.
  void add_cases(Checker& checker, PropertyOptions options, PropertyReport& report) const {
    if (report.kernel->file.empty() || options_.stop.deadline) return;
    options.sampled.clear();
    for (std::size_t number = 1; report.verdict() == Verdict::passed && !report.interrupted; ++number) {
      const std::chrono::duration<double> left = options_.least - std::chrono::duration<double>(report.seconds);
      if (left.count() <= 0) return;
      options.seed = seed_of_slice(number);
      options.drawn_before = report.cases;
      options.slice = std::chrono::duration_cast<std::chrono::milliseconds>(left);
      PropertyReport more = run_property(catalogue_, checker, *report.kernel, options);
      if (more.cases == 0) return;
      // Ending with its time is normal.
      more.interrupted = options_.stop.is_now();
      report.add(std::move(more));
    }
  }

  std::uint64_t seed_of_slice(std::size_t number) const { return options_.seed + number * 0x9e3779b97f4a7c15ULL; }

  void work(const std::optional<GpuTarget>& gpu) {
    worker::Process process(options_.stop);
    const CheckerOptions checks{.compile_ahead = true, .strict = options_.strict};
    Checker checker =
        gpu ? Checker(catalogue_, process, compiler_, *gpu, checks) : Checker(catalogue_, process, compiler_, checks);
    while (const auto slice = next_property()) {
      PropertyReport& total = report_.properties[slice->first.kernel];
      PropertyReport done;
      try {
        done = run_property(catalogue_, checker, *total.kernel, slice->second);
        add_cases(checker, slice->second, done);
      } catch (const Stopped&) {
        throw;
      } catch (const std::exception& fault) {
        if (!give_back(slice->first, gpu, fault.what())) throw;
        return;
      }
      // Ending with the slice or at the deadline is normal, not an interruption.
      if (options_.stop.deadline && !options_.stop.is_asked()) done.interrupted = false;
      const std::scoped_lock lock(mutex_);
      --slices_in_progress_;
      total.add(std::move(done));
      progress_(total);
      changed_.notify_all();
    }
  }

  /// Called when a GPU fails: another GPU takes over its work. False if no other GPU is left.
  bool give_back(const Slice& slice, const std::optional<GpuTarget>& gpu, const char* why) {
    const std::scoped_lock lock(mutex_);
    --slices_in_progress_;
    changed_.notify_all();
    if (options_.gpus.size() < 2 || --workers_ == 0) return false;
    given_back_.push_back(slice);
    program::say(
        fmt::format("conform: warning: GPU {} is left out, and the others run its cases: {}", gpu->index, why));
    return true;
  }

  const Catalogue& catalogue_;
  worker::Compiler& compiler_;
  const SuiteOptions& options_;
  const std::function<void(const PropertyReport&)>& progress_;
  const Stop::Clock::time_point begin_ = Stop::Clock::now();
  std::vector<std::size_t> order_;  ///< indices of the kernels, in the order of their slices
  std::mutex mutex_;                ///< guards the members below
  std::vector<std::optional<PropertyOptions>> properties_;
  SuiteReport report_;
  std::size_t next_ = 0;
  std::size_t slice_ = 0;
  std::vector<Slice> given_back_;
  int slices_in_progress_ = 0;  ///< slices in progress
  unsigned workers_ = 0;        ///< threads whose GPU works
  std::condition_variable changed_;
  std::exception_ptr error_;  ///< of the first worker that failed
};

}  // namespace

int SuiteReport::cases() const {
  int count = 0;
  for (const PropertyReport& property : properties) count += property.cases;
  return count;
}

int SuiteReport::count(Verdict verdict) const {
  return static_cast<int>(std::ranges::count(properties, verdict, &PropertyReport::verdict));
}

int SuiteReport::failures() const {
  return static_cast<int>(std::ranges::count_if(properties, [](const PropertyReport& p) { return !p.ok(); }));
}

int cases_of_slice(std::size_t number, int most) {
  constexpr int kFirst = 2;               // the first case waits while the programs of the whole slice compile
  constexpr std::size_t kDoublings = 16;  // larger numbers of cases are not needed
  return std::min(most, kFirst << std::min(number, kDoublings));
}

SuiteReport run_suite(const Catalogue& catalogue, worker::Compiler& compiler, const SuiteOptions& options,
                      const std::function<void(const PropertyReport&)>& progress) {
  return SuiteRun(catalogue, compiler, options, progress).run();
}

}  // namespace warpwright::conformance
