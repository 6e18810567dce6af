// The values of names in a job's expressions, and the macros for its source.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/job/lowering.hpp"

namespace warpwright::job {

Names names_of(const Job& job, const Problem& problem) {
  Names names;
  for (std::size_t i = 0; i < job.extents.size(); ++i)
    names[job.extents[i].name] = static_cast<Value>(problem.shape.at(i));
  for (const Number& number : job.numbers) names[number.name] = static_cast<Value>(problem.number(number.name));
  return names;
}

Names names_of(const Job& job, const Point& point, const Problem& problem, const Device& device) {
  Names names = names_of(job, problem);
  for (std::size_t i = 0; i < job.params.size(); ++i) names[job.params[i].name] = static_cast<Value>(point.at(i));
  names["sm_count"] = device.sm_count;
  names["max_threads_per_sm"] = device.max_threads_per_sm;
  names["shared_per_block"] = device.shared_per_block_optin;
  return names;
}

const JobBuffer* find_buffer(const Job& job, const std::string& name) {
  const auto found = std::ranges::find(job.buffers, name, &JobBuffer::name);
  return found == job.buffers.end() ? nullptr : &*found;
}

Buffer plan_buffer(const JobBuffer& buffer, const Names& names) {
  const Value count = buffer.count.value(names);
  if (!is_whole(count) || count < 0 || count > 1e15L)
    buffer.place.fail(
        fmt::format("{} has a count of {} (\"{}\")", buffer.name, static_cast<double>(count), buffer.count.text()));
  return {.name = buffer.name,
          .role = buffer.role,
          .type = buffer.element,
          .count = static_cast<std::int64_t>(count) * buffer.lanes};
}

std::vector<Buffer> Lowering::shared_buffers(const Problem& problem) const {
  const Names names = names_of(job, problem);
  std::vector<Buffer> buffers;
  for (const JobBuffer& buffer : job.buffers)
    if (buffer.role != Role::scratch) buffers.push_back(plan_buffer(buffer, names));
  return buffers;
}

Point Lowering::preferred() const {
  Point point;
  for (const Param& param : job.params) point.push_back(param.preferred);
  return point;
}

Definitions definitions_of(const Lowering& lowering, const Point& point, const Problem& problem, const Device& device) {
  const Job& job = lowering.job;
  const Names names = names_of(job, point, problem, device);
  Definitions definitions;
  for (std::size_t i = 0; i < job.params.size(); ++i) {
    const Param& param = job.params[i];
    if (param.reach != Reach::macro) continue;
    const auto at = std::ranges::find(param.axis.values, point.at(i)) - param.axis.values.begin();
    definitions[param.macro] = param.axis.spellings.at(static_cast<std::size_t>(at));
  }
  for (std::size_t i = 0; i < job.extents.size(); ++i)
    if (!job.extents[i].macro.empty()) definitions[job.extents[i].macro] = std::to_string(problem.shape.at(i));
  for (const auto& [macro, value] : job.defines) {
    const Value given = value.value(names);
    definitions[macro] = is_whole(given) ? fmt::format("{}", static_cast<std::int64_t>(given))
                                         : fmt::format("{}", static_cast<double>(given));
  }
  return definitions;
}

}  // namespace warpwright::job
