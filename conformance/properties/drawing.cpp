// Draws cases with rapidcheck.
#include "conformance/properties/drawing.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/draw_below.hpp"
#include "kernels/core/boards.hpp"

namespace warpwright::conformance {
namespace {

/// Keeps rapidcheck from printing; failures are in the report.
class Silent : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

/// SM counts of the device, for grids that depend on it: 0 is the simulator's small default, for which blocks loop; 1;
/// and more than a warp has lanes.
constexpr std::array<int, 8> kMultiprocessors{0, 0, 0, 0, 0, 1, 40, 40};

double draw_number(const Number& number) {
  const auto edges = edge_values(number);
  // About 3/8 edges, 3/8 the preferred value, 1/4 any value.
  const std::size_t pick = draw_below(edges.size() * 8 / 3 + 1);
  if (pick < edges.size()) return edges[pick];
  if (pick < edges.size() * 2) return number.preferred;
  if (number.step == 0) {
    constexpr int kParts = 1 << 20;
    return number.low + (number.high - number.low) * draw_below<int>(kParts + 1) / kParts;
  }
  const auto count = static_cast<std::int64_t>((number.high - number.low) / number.step) + 1;
  return number.low + number.step * static_cast<double>(draw_below<std::int64_t>(count));
}

constexpr const char* kOneValue = "all_equal";

bool has_kind(const Pattern& pattern, const Problem& problem, const std::string& name) {
  return std::ranges::any_of(pattern.inputs(problem), [&](const InputKind& kind) { return kind.name == name; });
}

std::string draw_input(const Pattern& pattern, const Problem& problem) {
  std::vector<std::string> kinds;
  for (const InputKind& kind : pattern.inputs(problem)) kinds.push_back(kind.name);
  for (const InputKind& kind : pattern.data)
    if (std::ranges::find(kinds, kind.name) == kinds.end()) kinds.push_back(kind.name);
  return kinds[draw_below(kinds.size())];
}

/// An input whose results are not rounded; any other if there is none.
std::string draw_exact_input(const Pattern& pattern, const Problem& problem) {
  std::vector<std::string> kinds;
  for (const InputKind& kind : pattern.inputs(problem))
    if (kind.exact) kinds.push_back(kind.name);
  return kinds.empty() ? draw_input(pattern, problem) : kinds[draw_below(kinds.size())];
}

/// The requirements on one of the first cases.
struct Special {
  Size size = {};
  std::size_t input = 0;  ///< index among the inputs whose results are rounded
  bool rounds = false;
  bool one_value = false;                            ///< all elements are equal, if the pattern has such an input
  bool exact = false;                                ///< results are not rounded, if the pattern has such an input
  const std::vector<std::int64_t>* shape = nullptr;  ///< its shape, if the kernel accepts it
  bool compared = false;                             ///< with the oracle's results; a law is not checked instead
};

/// A problem whose results are rounded, and the inputs that round: those with terms of one sign, if there are any.
struct Rounding {
  Problem problem;
  std::vector<std::string> inputs;
};

std::vector<Rounding> rounding_of(const Pattern& pattern, const Kernel& kernel, const Device& device,
                                  const PropertyOptions& options) {
  std::vector<Rounding> all;
  for (const Problem& problem : options.problems) {
    const auto rounds = [&](const InputKind& kind) {
      return std::ranges::any_of(observed_buffers(pattern, problem, device), [&](const Buffer& buffer) {
        const Bound bound =
            pattern.bound(problem, buffer.name, kind, kernel.depth(kernel.default_point, problem, device));
        return bound.comparison == Comparison::bounded && bound.relative > 0;
      });
    };
    std::vector<InputKind> kinds = pattern.inputs(problem);
    kinds.insert(kinds.end(), pattern.data.begin(), pattern.data.end());
    std::erase_if(kinds, [&](const InputKind& kind) { return kind.exact || !rounds(kind); });
    if (std::ranges::any_of(kinds, &InputKind::same_sign))
      std::erase_if(kinds, [](const InputKind& kind) { return !kind.same_sign; });
    if (kinds.empty()) continue;
    all.push_back({.problem = problem, .inputs = {}});
    for (const InputKind& kind : kinds) all.back().inputs.push_back(kind.name);
  }
  return all;
}

/// Draws cases one after another; called within rapidcheck.
class Drawer {
 public:
  Drawer(const Catalogue& catalogue, const Kernel& kernel, const Device& device, const PropertyOptions& options)
      : pattern_(catalogue.pattern(kernel.pattern)), kernel_(kernel), device_(device), options_(options) {
    if (!options.drawn_before || options.params.empty()) return;
    const std::size_t dimensions = kernel.tile(options.params.front()).size();
    rounding_ = rounding_of(pattern_, kernel, device, options);
    std::size_t inputs = 0;
    for (const Rounding& rounding : rounding_) inputs = std::max(inputs, rounding.inputs.size());
    for (std::size_t input = 0; input < std::min<std::size_t>(inputs, 2); ++input)
      for (std::size_t i = 0; i < dimensions; ++i)
        first_.push_back({.size = {Size::Kind::long_sum, i}, .input = input, .rounds = true});
    // The first large case shows how long larger ones would take.
    if (first_.empty()) first_.push_back({.size = {Size::Kind::long_sum, 0}});
    first_.push_back({.size = {Size::Kind::largest}});
    first_.push_back({.size = {Size::Kind::greatest_edge}});
    if (dimensions > 1) first_.push_back({.size = {Size::Kind::longest, options.seed % dimensions}});
    if (std::ranges::any_of(options.problems, [&](const Problem& one) { return has_kind(pattern_, one, kOneValue); }))
      first_.push_back({.size = {Size::Kind::largest}, .one_value = true});
    // Of a job, the shape whose accesses are counted for a prediction.
    if (kernel.file.empty()) return;
    first_.push_back({.size = {Size::Kind::traced}});
    for (const double blocks : {2, 3})
      for (std::size_t i = 0; i < dimensions; ++i) first_.push_back({.size = {Size::Kind::blocks, i, blocks}});
    const int on_board = default_board(device.compute_capability).device.sm_count;
    // Few elements of many may be wrong there, by less than a bound allows.
    first_.push_back(
        {.size = {Size::Kind::blocks, options.seed % dimensions, static_cast<double>(on_board)}, .exact = true});
  }

  /// A case that the kernel refuses is discarded, so that rapidcheck draws another.
  Case draw() {
    Case test = draw_any();
    if (const auto refused = refusal_of(test, device_for(test, device_))) {
      if (!is_held_) ++refused_, ++refused_in_turn_;
      // Prefers the kernel's reason to that of a point outside its space.
      if (refused->verdict == Verdict::skipped || last_reason_.empty()) last_reason_ = refused->reason;
      RC_DISCARD(refused->reason);
    }
    // Uses that many multiprocessors only if the simulator has enough threads for it.
    if (test.multiprocessors != 0 && !is_held_together(test)) test.multiprocessors = 0;
    if (!is_held_) {
      ++drawn_;
      refused_before_ = std::exchange(refused_in_turn_, 0);
    }
    return test;
  }

  /// From now on draws only the last case and simpler ones.
  void hold() {
    if (is_held_) return;
    is_held_ = true;
    --drawn_;
    refused_in_turn_ = refused_before_;
  }

  int refused() const { return refused_; }
  const std::string& last_reason() const { return last_reason_; }
  const CappedEdges& capped() const { return capped_; }

 private:
  Case draw_any() {
    Special special = special_of(drawn_);
    Case test;
    test.kernel = &kernel_;
    test.target = options_.target;
    // The first point is the one that a prediction traces, and whose launches at tuned shapes are compared.
    test.params = options_.params[special.size.kind == Size::Kind::traced ? 0 : draw_below(options_.params.size())];
    const Rounding* rounding = special.rounds ? &rounding_[draw_below(rounding_.size())] : nullptr;
    test.problem = rounding != nullptr ? rounding->problem : options_.problems[draw_below(options_.problems.size())];
    const bool draws_numbers = options_.draw_numbers && rounding == nullptr;
    if (draws_numbers)
      for (const Number& number : pattern_.numbers) set_number(test.problem, number, draw_number(number));
    // A launch may ask how many multiprocessors there are.
    if (special.exact && is_host(options_.target)) test.multiprocessors = static_cast<int>(special.size.blocks);
    test.problem.shape = draw_shape(test, special);
    // If the drawn numbers (such as a simulation's length) make even the smallest shape too long, uses the preferred
    // numbers.
    if (draws_numbers && most_steps_of(pattern_, kernel_, test.params, test.problem) > kReach * options_.max_steps)
      for (const Number& number : pattern_.numbers) set_number(test.problem, number, number.preferred);
    const bool is_one_value = special.one_value && has_kind(pattern_, test.problem, kOneValue);
    test.input = {.kind = rounding != nullptr ? rounding->inputs[special.input % rounding->inputs.size()]
                          : is_one_value      ? kOneValue
                          : special.exact     ? draw_exact_input(pattern_, test.problem)
                                              : draw_input(pattern_, test.problem),
                  .seed = draw_below<std::uint64_t>(1'000'000)};
    if (special.size.kind == Size::Kind::drawn && !special.compared) test.law = draw_law(test);
    if (is_host(options_.target)) {
      test.schedule_seed = draw_below<std::uint64_t>(1'000'000);
      test.resident_blocks = draw_below<int>(6);
      test.stale_end = draw_below<std::uint32_t>(1 << 14);
      test.stale_loads = draw_below<std::uint32_t>(1 << 18);  // so many that nearly always all loads get older values,
                                                              // until the case is shrunk
      const int multiprocessors = kMultiprocessors[draw_below(kMultiprocessors.size())];
      if (special.size.kind != Size::Kind::blocks) test.multiprocessors = multiprocessors;
    }
    return test;
  }

  /// Whether the simulator has enough threads for the case's cooperative launches.
  bool is_held_together(const Case& test) const {
    const auto launches = launches_of(kernel_.plan(test.params, test.problem, device_for(test, device_)));
    return std::ranges::none_of(launches, [](const PlannedLaunch& planned) {
      const Launch& launch = planned.launch;
      return launch.cooperative && launch.grid.count() * launch.block.count() > simulator::most_cooperative_threads;
    });
  }

  /// The requirements on case number `drawn`; none if the kernel keeps refusing it.
  Special special_of(int drawn) const {
    constexpr int kMostRefused = 12;
    if (refused_in_turn_ > kMostRefused) return {};
    const auto number = static_cast<std::size_t>(options_.drawn_before.value_or(0) + drawn);
    if (number < options_.shapes.size())
      return {.shape = &options_.shapes[number], .compared = options_.drawn_before.has_value()};
    // Without such shapes, the very first case has no requirements, so that it is quick.
    const std::size_t before = std::max<std::size_t>(options_.shapes.size(), 1);
    return number >= before && number - before < first_.size() ? first_[number - before] : Special{};
  }

  bool accepts(Case test, const std::vector<std::int64_t>& shape) const {
    test.problem.shape = shape;
    return !refusal_of(test, device_for(test, device_));
  }

  std::vector<std::int64_t> draw_shape(const Case& test, Special& special) {
    const Shapes shapes(pattern_, kernel_, test.params, test.problem, options_.max_steps,
                        options_.accesses_per_step.value_or(1));
    capped_.add(shapes.capped());
    if (special.shape != nullptr && accepts(test, *special.shape)) return draw_exactly(*special.shape);
    if (special.size.kind == Size::Kind::drawn) {
      // One case in sixteen is larger; one in eight of these has the largest size.
      const bool is_larger = draw_below(16) == 15;
      if (!is_larger || !options_.drawn_before || draw_below(8) != 7) return shapes.draw(is_larger);
      special.size.kind = Size::Kind::largest;
    }
    if (special.size.kind == Size::Kind::blocks)
      return shapes.draw_blocks(special.size, refused_in_turn_, [&](const auto& shape) {
        Case of_shape = test;
        of_shape.problem.shape = shape;
        return most_blocks(of_shape);
      });
    return shapes.draw(special.size, refused_in_turn_);
  }

  /// The blocks of the largest launch; 0 if the case has no plan.
  double most_blocks(const Case& test) const {
    try {
      double most = 0;
      for (const PlannedLaunch& planned :
           launches_of(kernel_.plan(test.params, test.problem, device_for(test, device_))))
        most = std::max(most, static_cast<double>(planned.launch.grid.count()));
      return most;
    } catch (const std::runtime_error&) {
      return 0;
    }
  }

  std::string draw_law(const Case& test) const {
    constexpr std::size_t kOracleWeight = 8;
    const std::size_t others = pattern_.laws.size() + (kernel_.deterministic(test.params, test.problem) ? 1 : 0);
    const std::size_t check = draw_below(kOracleWeight + others);
    if (check >= kOracleWeight + pattern_.laws.size()) return std::string(kDeterminism);
    return check >= kOracleWeight ? pattern_.laws[check - kOracleWeight].name : "";
  }

  const Pattern& pattern_;
  const Kernel& kernel_;
  const Device& device_;
  const PropertyOptions& options_;
  std::vector<Rounding> rounding_;
  std::vector<Special> first_;  ///< requirements on the first cases after those with the given shapes
  int drawn_ = 0;
  int refused_ = 0;
  int refused_in_turn_ = 0;  ///< in a row since the last case
  int refused_before_ = 0;   ///< in a row before the last case
  bool is_held_ = false;
  std::string last_reason_;
  CappedEdges capped_;
};

/// Runs `property` under rapidcheck, which keeps its state in globals: one thread at a time. An exception from the
/// property is rethrown; it is not a failure of the property.
void with_rapidcheck(const Kernel& kernel, const PropertyOptions& options, const std::function<void()>& property) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  Silent silent;
  rc::detail::TestParams params;
  params.seed = options.seed;
  params.maxSuccess = options.cases;
  constexpr int kRefusedPerCase = 50;  // a kernel for one of many types refuses often
  params.maxDiscardRatio = kRefusedPerCase;
  std::exception_ptr error;
  const std::function<void()> watched = [&] {
    if (error) return;
    try {
      property();
    } catch (const rc::detail::CaseResult&) {
      throw;
    } catch (...) {
      error = std::current_exception();
      throw;
    }
  };
  rc::detail::checkTestable(watched, rc::detail::TestMetadata{kernel.full_name(), kernel.full_name()}, params, silent,
                            std::unordered_map<std::string, rc::detail::Reproduce>{});
  if (error) std::rethrow_exception(error);
}

}  // namespace

std::vector<double> edge_values(const Number& number) {
  std::vector<double> values{number.preferred};
  const auto add = [&](double value) {
    if (number.allows(value) && std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  for (const double edge : number.edges) add(edge);
  add(number.low);
  add(number.low + number.step);
  add(number.high);
  return values;
}

DrawnCases draw_cases(const Catalogue& catalogue, const Kernel& kernel, const Device& device,
                      const PropertyOptions& options, const std::function<bool()>& is_over) {
  DrawnCases drawn;
  Drawer drawer(catalogue, kernel, device, options);
  with_rapidcheck(kernel, options, [&] {
    if (!is_over || !is_over()) drawn.cases.push_back(drawer.draw());
  });
  drawn.refused = drawer.refused();
  drawn.last_reason = drawer.last_reason();
  drawn.capped = drawer.capped();
  return drawn;
}

void draw_simpler(const Catalogue& catalogue, const Kernel& kernel, const Device& device,
                  const PropertyOptions& options, std::size_t failed, const std::function<bool(const Case&)>& fails) {
  Drawer drawer(catalogue, kernel, device, options);
  std::size_t drawn = 0;
  with_rapidcheck(kernel, options, [&] {
    const Case test = drawer.draw();
    const std::size_t index = drawn++;
    if (index < failed) return;
    if (index == failed) drawer.hold();
    if (index == failed || fails(test)) RC_FAIL("fails");
  });
}

}  // namespace warpwright::conformance
