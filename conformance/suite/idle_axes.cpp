// Compares the machine code and the launches of configurations that differ in one axis.
#include "conformance/suite/idle_axes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/property.hpp"
#include "kernels/core/boards.hpp"
#include "kernels/core/hash.hpp"

namespace warpwright::conformance {
namespace {

constexpr std::array kArchitectures{90, 80, 75};

/// The default board of an architecture. Nothing runs on it, so its memory may be overcommitted.
Device board_of(int architecture) {
  Device device = default_board(architecture).device;
  device.is_ours_alone = true;
  return device;
}

Device device_of(const Execution& execution) {
  return board_of(execution.architecture);
}

bool is_refused(const Execution& execution) {
  Case test;
  test.kernel = execution.kernel;
  test.params = execution.params;
  test.problem = execution.problem;
  return refusal_of(test, device_of(execution)).has_value();
}

/// The plan's text, with the hash of the machine code in place of the names of kernels.
std::string text_of(const Plan& plan, const CompiledProgram& built) {
  std::string text = nlohmann::json(plan).dump();
  for (const auto& [entry, instance] : built.instances) {
    const std::string name = nlohmann::json(entry).dump();
    const std::string code = '"' + instance.code_hash + ' ' + std::to_string(instance.resources.registers) + '"';
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + code.size()))
      text.replace(at, name.size(), code);
  }
  return text;
}

/// Kernels of a plan, in the order of their launches.
void add_entries(const std::vector<Step>& steps, std::vector<std::string>& entries) {
  for (const Step& step : steps) {
    if (const auto* launch = std::get_if<Launch>(&step.what)) entries.push_back(launch->entry);
    if (const auto* repeat = std::get_if<Repeat>(&step.what)) add_entries(repeat->steps, entries);
  }
}

/// The plan's text without the names of kernels.
std::string text_of_launches(const Plan& plan) {
  std::vector<std::string> entries;
  add_entries(plan.steps, entries);
  CompiledProgram unknown;
  for (const std::string& entry : entries) unknown.instances[entry];
  return text_of(plan, unknown);
}

/// What is compared until two configurations differ: some axis, or two values of it.
struct Compared {
  std::size_t axis = 0;
  std::optional<std::size_t> value = {};  ///< the place of the first of two neighbouring values
  int pairs = 0;
};

/// Draws pairs of configurations that differ in one axis.
class Pairs {
 public:
  Pairs(const Catalogue& catalogue, const Kernel& kernel, std::uint64_t seed)
      : pattern_(catalogue.pattern(kernel.pattern)), kernel_(kernel), random_(seed) {}

  /// Nothing if none was found.
  std::optional<std::pair<Execution, Execution>> draw(const Compared& compared, int round) {
    constexpr int kTries = 200;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      Execution one = drawn_execution(round == 0 && attempt < 20);
      const Axis& axis = kernel_.space.axes()[compared.axis];
      std::int64_t& value = one.params[compared.axis];
      if (compared.value) value = axis.values[*compared.value];
      Execution other = one;
      other.params[compared.axis] = axis.values[compared.value ? *compared.value + 1 : random_() % axis.values.size()];
      if (other.params != one.params && !is_refused(one) && !is_refused(other)) return std::pair(one, other);
    }
    return std::nullopt;
  }

 private:
  /// The default configuration of the first problem, or any configuration of any problem.
  Execution drawn_execution(bool is_default) {
    Execution made{.kernel = &kernel_, .params = kernel_.default_point};
    if (!is_default) made.architecture = kArchitectures[random_() % kArchitectures.size()];
    const auto& problems = problems_on(made.architecture);
    if (problems.empty()) return made;
    made.problem = problems[is_default ? 0 : random_() % problems.size()];
    if (is_default) return made;
    const auto& points = points_of(made);
    if (!points.empty()) made.params = points[random_() % points.size()];
    return made;
  }

  /// Those that are tuned, but of every variant and type. Of the traced shape if the kernel refuses the tuned one.
  const std::vector<Problem>& problems_on(int architecture) {
    const auto [found, is_new] = problems_.try_emplace(architecture);
    if (!is_new) return found->second;
    const Device device = board_of(architecture);
    for (const Problem& problem : problems_of(pattern_, kernel_, device)) {
      Problem tuned = problem;
      if (!pattern_.tuning_shapes.empty()) tuned.shape = pattern_.tuning_shapes.front();
      const bool is_refused = !kernel_.refuses(kernel_.default_point, tuned, device).empty();
      found->second.push_back(is_refused ? problem : tuned);
    }
    return found->second;
  }

  const std::vector<Point>& points_of(const Execution& execution) {
    const auto [found, is_new] = points_.try_emplace(std::pair(execution.architecture, execution.problem.types));
    if (is_new) found->second = kernel_.space.points(surroundings_of(execution.problem, device_of(execution)));
    return found->second;
  }

  const Pattern& pattern_;
  const Kernel& kernel_;
  std::mt19937_64 random_;
  std::map<int, std::vector<Problem>> problems_;
  std::map<std::pair<int, std::vector<ElementType>>, std::vector<Point>> points_;
};

std::vector<Compared> all_compared(const Kernel& kernel, bool values) {
  std::vector<Compared> all;
  for (std::size_t i = 0; i < kernel.space.axes().size(); ++i) {
    const std::size_t count = kernel.space.axes()[i].values.size();
    if (!values && count > 1) all.push_back({.axis = i});
    for (std::size_t k = 0; values && k + 1 < count; ++k) all.push_back({.axis = i, .value = k});
  }
  return all;
}

/// Valid configurations of a kernel, at most that many, by the text of their launches.
std::map<std::string, std::vector<Execution>> by_launches(const Kernel& kernel, const Problem& problem,
                                                          std::size_t most) {
  Execution one{.kernel = &kernel, .problem = problem};
  std::vector<Point> points = kernel.space.points(surroundings_of(problem, device_of(one)));
  std::ranges::shuffle(points, std::mt19937_64(1));
  points.resize(std::min(points.size(), most));
  std::map<std::string, std::vector<Execution>> found;
  for (Point& point : points) {
    one.params = std::move(point);
    if (!is_refused(one)) found[text_of_launches(kernel.plan(one.params, problem, device_of(one)))].push_back(one);
  }
  return found;
}

}  // namespace

std::vector<std::string> executed(worker::Compiler& compiler, const std::vector<Execution>& executions) {
  std::vector<std::string> texts(executions.size());
  std::map<int, std::vector<std::size_t>> by_architecture;
  for (std::size_t i = 0; i < executions.size(); ++i)
    if (!is_refused(executions[i])) by_architecture[executions[i].architecture].push_back(i);
  for (const auto& [architecture, places] : by_architecture) {
    std::vector<Plan> plans;
    std::vector<Program> programs;
    for (const std::size_t i : places) {
      const Execution& one = executions[i];
      plans.push_back(one.kernel->plan(one.params, one.problem, device_of(one)));
      programs.push_back(program_of(plans.back(), one.kernel->source));
    }
    const std::vector<worker::CompileResult> results = compiler.compile("sm_" + std::to_string(architecture), programs);
    for (std::size_t k = 0; k < places.size(); ++k)
      if (const CompiledProgram built = results[k].get(); built.ok) texts[places[k]] = text_of(plans[k], built);
  }
  return texts;
}

std::vector<IdleAxis> idle_axes(const Catalogue& catalogue, worker::Compiler& compiler, const Kernel& kernel,
                                const IdleAxesOptions& options) {
  std::vector<Compared> open = all_compared(kernel, options.values);
  Pairs pairs(catalogue, kernel, options.seed);
  for (int round = 0; round < options.rounds && !open.empty(); ++round) {
    std::vector<Execution> executions;
    std::vector<std::size_t> compared;
    for (std::size_t i = 0; i < open.size(); ++i)
      if (const auto pair = pairs.draw(open[i], round)) {
        executions.insert(executions.end(), {pair->first, pair->second});
        compared.push_back(i);
      }
    const std::vector<std::string> texts = executed(compiler, executions);
    std::vector<std::size_t> differ;
    for (std::size_t k = 0; k < compared.size(); ++k) {
      if (texts[2 * k].empty() || texts[2 * k + 1].empty()) continue;
      ++open[compared[k]].pairs;
      if (texts[2 * k] != texts[2 * k + 1]) differ.push_back(compared[k]);
    }
    for (auto i = differ.rbegin(); i != differ.rend(); ++i) open.erase(open.begin() + static_cast<std::ptrdiff_t>(*i));
  }
  std::vector<IdleAxis> idle;
  for (const Compared& one : open) {
    const Axis& axis = kernel.space.axes()[one.axis];
    idle.push_back({.axis = axis.name, .values = {}, .pairs = one.pairs});
    if (one.value)
      for (const std::size_t k : {*one.value, *one.value + 1}) idle.back().values.push_back(axis.label(axis.values[k]));
  }
  return idle;
}

std::vector<KernelCopy> kernel_copies(const Catalogue& catalogue, worker::Compiler& compiler,
                                      const std::string& pattern, std::size_t points) {
  // Of each two kernels, configurations with the same launches are compiled: as many as this of each, some times.
  constexpr std::size_t kMostOfEach = 16, kMostLaunches = 2;
  const Pattern& of = catalogue.pattern(pattern);
  const std::vector<const Kernel*> kernels = catalogue.matching(pattern);
  std::set<std::pair<const Kernel*, const Kernel*>> known;
  std::vector<KernelCopy> copies;
  const auto compare = [&](const std::vector<Execution>& some, const std::vector<Execution>& others) {
    const std::size_t count = std::min(some.size(), kMostOfEach);
    std::vector<Execution> executions(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    executions.insert(executions.end(), others.begin(),
                      others.begin() + static_cast<std::ptrdiff_t>(std::min(others.size(), kMostOfEach)));
    const std::vector<std::string> texts = executed(compiler, executions);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = count; k < texts.size(); ++k)
        if (!texts[i].empty() && texts[i] == texts[k] &&
            known.emplace(executions[i].kernel, executions[k].kernel).second)
          copies.push_back({executions[i], executions[k]});
  };
  for (const Settings& settings : of.tuning_settings) {
    const Problem problem = make_problem(of, of.tuning_types.front(), settings, of.tuning_shapes.front());
    std::vector<std::map<std::string, std::vector<Execution>>> earlier;
    for (const Kernel* kernel : kernels) {
      auto own = by_launches(*kernel, problem, points);
      for (const auto& others : earlier) {
        std::size_t compared = 0;
        for (const auto& [launches, executions] : own)
          if (const auto same = others.find(launches); same != others.end() && compared++ < kMostLaunches)
            compare(same->second, executions);
      }
      earlier.push_back(std::move(own));
    }
  }
  return copies;
}

}  // namespace warpwright::conformance
