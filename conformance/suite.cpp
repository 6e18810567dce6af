// Running the properties of many kernels.
#include "conformance/suite.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace warpwright::conformance {
namespace {

void add(PropertyReport& total, PropertyReport round) {
  if (total.cases == 0) total.skipped = round.skipped;
  total.cases += round.cases;
  total.refused += round.refused;
  if (total.cases > 0) total.skipped.clear();
  total.mistrusted += round.mistrusted;
  total.unjudged += round.unjudged;
  if (!round.not_judged.empty()) total.not_judged = round.not_judged;
  total.worst_error_ratio = std::max(total.worst_error_ratio, round.worst_error_ratio);
  total.steps += round.steps;
  total.threads += round.threads;
  total.seconds += round.seconds;
  total.interrupted = total.interrupted || round.interrupted;
  if (!round.ok()) {
    total.counterexample = std::move(round.counterexample);
    total.first_failure = std::move(round.first_failure);
    total.failure = std::move(round.failure);
  }
}

/// Workers that take one kernel after the other, and with a time limit begin again with new seeds.
class SuiteRun {
 public:
  SuiteRun(const Catalogue& catalogue, worker::Compiler& compiler, const SuiteOptions& options,
           const std::function<void(const PropertyReport&)>& progress)
      : catalogue_(catalogue),
        compiler_(compiler),
        options_(options),
        progress_(progress),
        deadline_(begin_ +
                  std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.minutes * 60))) {
    const Device& device = is_host(options.target) ? host_device(options.target) : options.gpu.value().device;
    for (const Kernel* kernel : catalogue.matching(options.globs)) {
      report_.properties.emplace_back().kernel = kernel;
      properties_.push_back(property_of(*kernel, device));
    }
  }

  SuiteReport run() {
    unsigned jobs = options_.jobs;
    if (jobs == 0) jobs = is_host(options_.target) ? std::max(1U, std::thread::hardware_concurrency()) : 1;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < jobs; ++i)
      threads.emplace_back([this] {
        try {
          work();
        } catch (...) {
          const std::scoped_lock lock(mutex_);
          if (!error_) error_ = std::current_exception();
        }
      });
    threads.clear();
    if (error_) std::rethrow_exception(error_);
    report_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    report_.interrupted = options_.stop != nullptr && *options_.stop;
    return report_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Turn {
    std::size_t kernel = 0;
    PropertyOptions property;
  };

  PropertyOptions property_of(const Kernel& kernel, const Device& device) const {
    const auto problems = problems_of(catalogue_.pattern(kernel.pattern), kernel, device);
    return {.target = options_.target,
            .cases = options_.cases,
            .seed = options_.seed,
            .params = sample_points(kernel, surroundings_of(problems.front(), device), options_.points, options_.seed),
            .problems = problems,
            .max_steps = options_.max_steps,
            .deadline = std::nullopt,
            .stop = options_.stop};
  }

  /// Whose turn it is; nothing when all is done. A kernel that failed is not asked again in this run.
  std::optional<Turn> next() {
    const std::scoped_lock lock(mutex_);
    while (true) {
      if (error_ || (options_.stop != nullptr && *options_.stop)) return std::nullopt;
      if (options_.minutes > 0 && Clock::now() >= deadline_) return std::nullopt;
      if (std::ranges::all_of(report_.properties, [](const PropertyReport& p) { return !p.ok(); })) return std::nullopt;
      if (next_ == properties_.size()) {
        if (options_.minutes == 0) return std::nullopt;
        next_ = 0;
        ++round_;
      }
      Turn turn{.kernel = next_, .property = properties_[next_]};
      ++next_;
      if (!report_.properties[turn.kernel].ok()) continue;
      turn.property.seed = options_.seed + round_ * 0x9e3779b97f4a7c15ULL;
      if (options_.minutes > 0) turn.property.deadline = deadline_;
      return turn;
    }
  }

  void work() {
    worker::Process process;
    Checker checker(catalogue_, process, compiler_, Checker::Compile::ahead, options_.gpu);
    while (const auto turn = next()) {
      PropertyReport& total = report_.properties[turn->kernel];
      PropertyReport done = run_property(catalogue_, checker, *total.kernel, turn->property);
      const std::scoped_lock lock(mutex_);
      add(total, std::move(done));
      progress_(total);
    }
  }

  const Catalogue& catalogue_;
  worker::Compiler& compiler_;
  const SuiteOptions& options_;
  const std::function<void(const PropertyReport&)>& progress_;
  const Clock::time_point begin_ = Clock::now();
  const Clock::time_point deadline_;
  std::vector<PropertyOptions> properties_;
  std::mutex mutex_;  ///< of what follows
  SuiteReport report_;
  std::size_t next_ = 0;
  std::uint64_t round_ = 0;
  std::exception_ptr error_;  ///< of the first worker that could not do its work
};

}  // namespace

int SuiteReport::cases() const {
  int count = 0;
  for (const PropertyReport& property : properties) count += property.cases;
  return count;
}

int SuiteReport::failures() const {
  return static_cast<int>(std::ranges::count_if(properties, [](const PropertyReport& p) { return !p.ok(); }));
}

int SuiteReport::not_judged() const {
  return static_cast<int>(
      std::ranges::count_if(properties, [](const PropertyReport& p) { return !p.not_judged.empty(); }));
}

SuiteReport run_suite(const Catalogue& catalogue, worker::Compiler& compiler, const SuiteOptions& options,
                      const std::function<void(const PropertyReport&)>& progress) {
  return SuiteRun(catalogue, compiler, options, progress).run();
}

}  // namespace warpwright::conformance
