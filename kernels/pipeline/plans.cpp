// Plans of pipelines: buffers, chunks, and the operations on a chunk in a stream.
#include "kernels/pipeline/plans.hpp"

#include <algorithm>

namespace warpwright::pipeline {
namespace {

constexpr const char* kHostSource = "kernels/pipeline/element.cuh";

/// Labels of the operations on a chunk.
std::string named(const char* what, std::size_t chunk) {
  return std::string(what) + " " + std::to_string(chunk);
}

}  // namespace

std::vector<Buffer> buffers(const Problem& problem, Where where) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements(), .where = where},
          {.name = "out", .role = Role::out, .type = problem.type(), .count = problem.elements(), .where = where}};
}

std::vector<Chunk> chunks_of(std::int64_t elements, int most) {
  constexpr std::int64_t kWhole = 32;
  const std::int64_t size = divide_up(divide_up(elements, most), kWhole) * kWhole;
  std::vector<Chunk> chunks;
  for (std::int64_t begin = 0; begin < elements; begin += size)
    chunks.push_back({.begin = begin, .count = std::min(size, elements - begin)});
  return chunks;
}

Pipeline::Pipeline(const PlanRequest& request, const std::string& function, Grid grid, Where where)
    : request_(request),
      function_(request.entry(function, {std::string(name_of(request.problem.type()))})),
      grid_(grid),
      plan_{.buffers = buffers(request.problem, where), .steps = {}} {}

std::int64_t Pipeline::bytes(std::int64_t elements) const {
  return elements * static_cast<std::int64_t>(size_of(problem().type()));
}

void Pipeline::add_scratch(const std::string& name, std::int64_t count, Where where) {
  plan_.buffers.push_back(
      {.name = name, .role = Role::scratch, .type = problem().type(), .count = count, .where = where});
}

void Pipeline::copy(const std::string& from, std::int64_t from_begin, const std::string& to, std::int64_t to_begin,
                    std::int64_t count, int stream, const std::string& label, std::vector<std::string> waits) {
  plan_.steps.push_back({.what = Copy{.from = from,
                                      .to = to,
                                      .bytes = bytes(count),
                                      .from_offset = bytes(from_begin),
                                      .to_offset = bytes(to_begin)},
                         .stream = stream,
                         .label = label,
                         .waits = std::move(waits)});
}

void Pipeline::launch(const std::string& from, std::int64_t from_begin, const std::string& to, std::int64_t to_begin,
                      std::int64_t count, int stream, const std::string& label, std::vector<std::string> waits) {
  const std::int64_t blocks =
      std::min(divide_up(count, std::int64_t{grid_.block_size} * grid_.coarsening), grid_.most_blocks);
  plan_.steps.push_back(
      {.what = Launch{.entry = function_,
                      .grid = {.x = static_cast<std::uint32_t>(blocks)},
                      .block = {.x = static_cast<std::uint32_t>(grid_.block_size)},
                      .arguments = {pointer_to(from, bytes(from_begin)), pointer_to(to, bytes(to_begin)), value(count),
                                    value(static_cast<int>(problem().integer("operations")))}},
       .stream = stream,
       .label = label,
       .waits = std::move(waits)});
}

void Pipeline::prefetch(const std::string& buffer, const Chunk& chunk, bool to_host, int stream) {
  plan_.steps.push_back(
      {.what =
           Prefetch{
               .buffer = buffer, .byte_offset = bytes(chunk.begin), .bytes = bytes(chunk.count), .to_host = to_host},
       .stream = stream});
}

void Pipeline::work_on_host(const Chunk& chunk) {
  const std::string type(name_of(problem().type()));
  const std::int64_t offset = bytes(chunk.begin);
  plan_.steps.push_back(
      {.what = HostWork{
           .source = kHostSource,
           .function = "warpwright::pipeline::work_on_host<" + type + ">",
           .arguments = {pointer_to("in", offset), pointer_to("out", offset), value(chunk.count),
                         value(static_cast<int>(problem().integer("operations")))},
           .accesses = {{.buffer = "in", .byte_offset = offset, .bytes = bytes(chunk.count)},
                        {.buffer = "out", .byte_offset = offset, .bytes = bytes(chunk.count), .writes = true}}}});
}

void Pipeline::visit_output() {
  const std::int64_t count = problem().elements();
  plan_.steps.push_back(
      {.what = HostWork{.source = kHostSource,
                        .function = "warpwright::pipeline::visit_pages<" + std::string(name_of(problem().type())) + ">",
                        .arguments = {pointer_to("out"), value(count)},
                        .accesses = {{.buffer = "out", .bytes = bytes(count)}}}});
}

void Pipeline::synchronise() {
  plan_.steps.push_back({.what = Synchronise{}});
}

void through_slots(Pipeline& pipeline, const std::vector<Chunk>& chunks, int streams,
                   const std::function<void()>& meanwhile) {
  if (chunks.empty()) return;
  const std::int64_t slot_size = chunks.front().count;
  const auto slots = std::min<std::int64_t>(streams, static_cast<std::int64_t>(chunks.size()));
  for (const char* name : {"before", "after"}) pipeline.add_scratch(name, slot_size * slots);
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const auto slot = static_cast<std::int64_t>(c) % slots;
    // A single stream is the plan's own; several ones are additional.
    const int stream = streams == 1 ? 0 : static_cast<int>(slot) + 1;
    const std::int64_t at = slot * slot_size;
    pipeline.copy("in", chunks[c].begin, "before", at, chunks[c].count, stream);
    pipeline.launch("before", at, "after", at, chunks[c].count, stream);
    pipeline.copy("after", at, "out", chunks[c].begin, chunks[c].count, stream);
  }
  meanwhile();
  pipeline.synchronise();
}

void through_stages(Pipeline& pipeline, const std::vector<Chunk>& chunks, int slots) {
  if (chunks.empty()) return;
  constexpr int kIn = 1, kOut = 2, kFirstWork = 3;
  const std::int64_t slot_size = chunks.front().count;
  const auto used = std::min(static_cast<std::size_t>(slots), chunks.size());
  for (const char* name : {"before", "after"}) pipeline.add_scratch(name, slot_size * static_cast<std::int64_t>(used));
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const std::int64_t at = static_cast<std::int64_t>(c % used) * slot_size;
    std::vector<std::string> until_read, until_worked{named("in", c)};
    if (c >= used) {
      until_read.push_back(named("work", c - used));
      until_worked.push_back(named("out", c - used));
    }
    pipeline.copy("in", chunks[c].begin, "before", at, chunks[c].count, kIn, named("in", c), until_read);
    pipeline.launch("before", at, "after", at, chunks[c].count, kFirstWork + static_cast<int>(c % used),
                    named("work", c), until_worked);
    pipeline.copy("after", at, "out", chunks[c].begin, chunks[c].count, kOut, named("out", c), {named("work", c)});
  }
  pipeline.synchronise();
}

}  // namespace warpwright::pipeline
