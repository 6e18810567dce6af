// Running the properties of many kernels.
#include "conformance/suite.hpp"

#include <algorithm>
#include <mutex>
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
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto kernels = catalogue.matching(options.globs);
  const Device& device = is_host(options.target) ? host_device(options.target) : options.gpu.value().device;

  SuiteReport report;
  report.properties.resize(kernels.size());
  std::vector<PropertyOptions> properties;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Kernel& kernel = *kernels[i];
    report.properties[i].kernel = &kernel;
    const auto problems = problems_of(catalogue.pattern(kernel.pattern), kernel, device);
    PropertyOptions property{
        .target = options.target,
        .cases = options.cases,
        .seed = options.seed,
        .params = sample_points(kernel, surroundings_of(problems.front(), device), options.points, options.seed),
        .problems = problems,
        .max_steps = options.max_steps,
        .deadline = std::nullopt,
        .stop = options.stop};
    properties.push_back(std::move(property));
  }
  const auto deadline =
      begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.minutes * 60));

  std::mutex mutex;
  std::size_t next = 0;
  std::uint64_t round = 0;
  std::exception_ptr error;  // of the first worker that could not do its work
  const auto stopped = [&] {
    return error || (options.stop != nullptr && *options.stop) || (options.minutes > 0 && Clock::now() >= deadline);
  };
  const auto work = [&] {
    worker::Process process;
    Checker checker(catalogue, process,
                    {.built = [&](const std::string& target,
                                  const Program& program) { return compiler.compile_one(target, program); },
                     .ahead = [&](const std::string& target,
                                  const std::vector<Program>& programs) { compiler.compile(target, programs); }},
                    options.gpu);
    while (true) {
      std::size_t mine = 0;
      PropertyOptions property;
      {
        const std::scoped_lock lock(mutex);
        if (stopped()) return;
        if (next == kernels.size()) {
          if (options.minutes == 0) return;
          next = 0;
          ++round;
        }
        mine = next++;
        property = properties[mine];
        property.seed = options.seed + round * 0x9e3779b97f4a7c15ULL;
        if (options.minutes > 0) property.deadline = deadline;
        // A kernel that failed is not asked again in this run.
        if (!report.properties[mine].ok()) continue;
      }
      PropertyReport done = run_property(catalogue, checker, *kernels[mine], property);
      const std::scoped_lock lock(mutex);
      add(report.properties[mine], std::move(done));
      progress(report.properties[mine]);
      if (std::ranges::all_of(report.properties, [](const PropertyReport& p) { return !p.ok(); })) return;
    }
  };
  unsigned jobs = options.jobs;
  if (jobs == 0) jobs = is_host(options.target) ? std::max(1U, std::thread::hardware_concurrency()) : 1;
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < jobs; ++i)
    threads.emplace_back([&] {
      try {
        work();
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!error) error = std::current_exception();
      }
    });
  threads.clear();
  if (error) std::rethrow_exception(error);
  report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  report.interrupted = options.stop != nullptr && *options.stop;
  return report;
}

}  // namespace warpwright::conformance
