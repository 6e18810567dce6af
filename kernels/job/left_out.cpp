// Finds the values of params that the limit of a device excludes from every configuration.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/job/lowering.hpp"

namespace warpwright::job {
namespace {

/// The params that a launch's block depends on.
std::vector<std::size_t> params_of_block(const Job& job, const JobStep& step) {
  std::vector<std::size_t> params;
  for (std::size_t i = 0; i < job.params.size(); ++i)
    if (std::ranges::any_of(step.block,
                            [&](const Expression& part) { return part.names().contains(job.params[i].name); }))
      params.push_back(i);
  return params;
}

}  // namespace

bool block_depends_on_problem(const Job& job, const JobStep& step) {
  return std::ranges::any_of(step.block, [&](const Expression& part) {
    return std::ranges::any_of(part.names(), [&](const std::string& name) {
      return std::ranges::find(job.extents, name, &Extent::name) != job.extents.end() ||
             std::ranges::find(job.numbers, name, &Number::name) != job.numbers.end();
    });
  });
}

bool is_block_allowed(const JobStep& step, const Names& names, const Device& device) {
  const Value threads = step.block[0].value(names) * step.block[1].value(names) * step.block[2].value(names);
  return is_whole(threads) && threads >= 1 && threads <= device.max_threads_per_block;
}

std::vector<std::string> values_left_out(const Job& job, const Device& device) {
  constexpr std::size_t most_combinations = 100'000;
  std::vector<std::string> left_out;
  for (const JobStep& step : job.steps) {
    if (step.kernel.empty() || block_depends_on_problem(job, step)) continue;
    const std::vector<std::size_t> params = params_of_block(job, step);
    std::size_t combinations = 1;
    for (const std::size_t param : params) combinations *= job.params[param].axis.values.size();
    if (params.empty() || combinations > most_combinations) continue;
    std::set<std::pair<std::size_t, std::int64_t>> fitting;
    Problem one{.pattern = job.pattern()};
    one.shape.assign(job.extents.size(), 1);
    for (const Number& number : job.numbers) one.numbers[number.name] = number.preferred;
    Point point;
    for (const Param& param : job.params) point.push_back(param.preferred);
    for (std::size_t number = 0; number < combinations; ++number) {
      std::size_t rest = number;
      for (const std::size_t param : params) {
        const auto& values = job.params[param].axis.values;
        point[param] = values[rest % values.size()];
        rest /= values.size();
      }
      if (!is_block_allowed(step, names_of(job, point, one, device), device)) continue;
      for (const std::size_t param : params) fitting.insert({param, point[param]});
    }
    for (const std::size_t param : params)
      for (const std::int64_t value : job.params[param].axis.values)
        if (!fitting.contains({param, value}))
          left_out.push_back(fmt::format(
              "{} = {} is never run: it gives a block of {} a number of threads that is not 1 to {}",
              job.params[param].name, job.params[param].axis.label(value), step.kernel, device.max_threads_per_block));
  }
  return left_out;
}

}  // namespace warpwright::job
