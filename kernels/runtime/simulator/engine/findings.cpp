// Makes findings, each with the kernel, the source line and the thread.
#include "kernels/runtime/simulator/engine/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::simulator {
namespace {

Dim3 dim3_of(Index3 index) {
  return {index.x, index.y, index.z};
}

}  // namespace

void Findings::begin(const Module& module, const SimulationOptions& options, Execution& execution) {
  module_ = &module;
  options_ = &options;
  execution_ = &execution;
  launch_ = nullptr;
  lenient_ = 0;
  for (const StrictRule rule : options.lenient) lenient_ |= 1U << static_cast<unsigned>(rule);
  known_.clear();
  known_tolerated_.clear();
  hinted_.clear();
  arithmetic_.clear();
  exchanged_.clear();
  racing_store_.reset();
}

ThreadLocation Findings::where(const Thread& thread, const void* site) const {
  const auto source = module_->line_of(site);
  return {source.file, source.line, dim3_of(thread.block->index), dim3_of(thread.index), source.column};
}

ThreadLocation Findings::where(const AccessRecord& record) const {
  const auto source = module_->line_of(module_->base() + record.site);
  const Dim3& extent = launch_->block;
  const Dim3& grid = launch_->grid;
  const auto threads = static_cast<std::uint32_t>(extent.count());
  const std::uint32_t block = record.thread / threads, thread = record.thread % threads;
  return {source.file,
          source.line,
          {block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y},
          {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y},
          source.column};
}

void Findings::add_late_writer(const ThreadLocation& reader, const ThreadLocation& writer) {
  for (Finding& finding : execution_->findings) {
    const ThreadLocation& at = finding.location;
    const bool is_there = at.file == reader.file && at.line == reader.line && at.column == reader.column;
    if (finding.kind != FindingKind::uninitialised_read || !is_there || finding.other.line != 0) continue;
    const auto words = finding.message.rfind(unwritten_);
    if (words == std::string::npos) continue;
    finding.message.replace(
        words, unwritten_.size(),
        fmt::format(" that is not written yet: line {} writes it, and no barrier or fence orders the "
                    "two",
                    writer.line));
    finding.other = writer;
  }
}

Finding Findings::made_by(FindingKind kind, const Thread& thread, const void* site, std::string message) const {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.entry = launch_->entry;
  finding.location = where(thread, site);
  return finding;
}

void Findings::arithmetic(const Thread& thread, const void* site, const std::string& words) {
  constexpr std::size_t most = 16;
  if (!arithmetic_.insert(site).second) return;
  Finding found = made_by(FindingKind::signed_overflow, thread, site, words);
  hint([&] { return fmt::format("{}, at {}", words, describe(found.location)); });
  const auto is_same_line = [&](const Finding& one) { return is_at_line_of(one, found); };
  if (execution_->arithmetic.size() < most && std::ranges::none_of(execution_->arithmetic, is_same_line))
    execution_->arithmetic.push_back(std::move(found));
}

}  // namespace warpwright::simulator
