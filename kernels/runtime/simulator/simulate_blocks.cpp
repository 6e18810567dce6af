// Runs some blocks of each launch of a plan over sparse memory.
#include <algorithm>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/simulate.hpp"
#include "kernels/runtime/simulator/step_runner.hpp"

namespace warpwright::simulator {
namespace {

class BlocksRun {
 public:
  BlocksRun(const Plan& plan, const Module& module, const SimulationOptions& options)
      : plan_(plan), module_(module), options_(options), engine_(Engine::of_this_thread()) {
    options_.check_races = false;
    options_.schedule = {.seed = 0, .resident_blocks = 1};
  }

  Execution run(std::span<const Page> pages) {
    Execution& execution = execution_;
    engine_.memory().global.place_sparse(plan_.buffers);
    engine_.hold_small_grids(false);
    engine_.begin(module_, options_, execution);
    sparse().begin(plan_.buffers.size());
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      const Buffer& buffer = plan_.buffers[i];
      engine_.memory().shadows[i].set_sparse();
      if (buffer.is_input())
        sparse().set(i, buffer.role == Role::inout ? SparseMemory::Contents::restored : SparseMemory::Contents::input);
      if (buffer.self_restoring) sparse().set(i, SparseMemory::Contents::zeros);
    }
    for (const Page& page : pages) {
      const Region& region = engine_.memory().global.region(page.buffer);
      std::memcpy(region.data() + page.number * Page::size, page.bytes.data(), page.bytes.size());
      sparse().give(page);
    }
    StepRunner runner(plan_, module_, options_, nullptr, engine_, execution);
    if (plan_.is_plain())
      run_steps(runner, plan_.steps);
    else
      give_up("a plan with streams or buffers of the host");
    execution.missing = sparse().missing();
    sparse().end();
    engine_.end();
    return std::move(execution_);
  }

 private:
  SparseMemory& sparse() { return engine_.memory().sparse; }

  void give_up(const std::string& what) {
    engine_.report(FindingKind::no_model, "", what);
    is_over_ = true;
  }

  void run_steps(StepRunner& runner, const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (is_over_ || engine_.stopped()) return;
      if (const auto* repeat = std::get_if<Repeat>(&step.what)) {
        if (repeat->times > 1) return give_up("steps that repeat");
        if (repeat->times == 1) run_steps(runner, repeat->steps);
      } else if (const auto* set = std::get_if<Memset>(&step.what)) {
        run_memset(runner, *set);
      } else if (const auto* upload = std::get_if<ConstantUpload>(&step.what)) {
        if (!knows(runner.number_of(upload->buffer), static_cast<std::size_t>(upload->bytes)))
          return give_up("a constant that a launch has written");
        runner.run(step);
      } else if (const auto* launch = std::get_if<Launch>(&step.what)) {
        if (launch->cooperative) return give_up("blocks that wait for each other");
        sparse().begin_launch();
        runner.run(step);
        if (options_.spread_blocks) note_accesses(*launch);
        if (launch->grid.count() > static_cast<std::uint64_t>(options_.sampled_blocks) * launch->cluster.count())
          sparse().forget_written();
      } else if (!std::holds_alternative<Synchronise>(step.what) && !std::holds_alternative<Prefetch>(step.what)) {
        return give_up("a step that is no launch");
      }
    }
  }

  void note_accesses(const Launch& launch) {
    const Dim3& grid = launch.grid;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      if (sparse().by_block(i).empty()) continue;
      SampledAccesses of_launch{.buffer = i, .grid = grid, .blocks = sparse().by_block(i)};
      const std::vector<std::uint64_t>& numbers = sparse().blocks();
      of_launch.blocks.resize(numbers.size());
      for (std::size_t k = 0; k < numbers.size(); ++k)
        of_launch.blocks[k].block = {static_cast<unsigned>(numbers[k] % grid.x),
                                     static_cast<unsigned>(numbers[k] / grid.x % grid.y),
                                     static_cast<unsigned>(numbers[k] / grid.x / grid.y)};
      if (std::ranges::any_of(of_launch.blocks, [](const BlockAccesses& one) { return one.stored > 0; })) {
        of_launch.is_only_store = plan_.buffers[i].role == Role::out && stored_to_.insert(i).second;
        for (SampledAccesses& before : execution_.sampled)
          if (before.buffer == i) before.is_only_store = false;
      }
      // Blocks of a cluster run at the same time, so it is not known which one makes an access.
      if (launch.cluster.count() == 1 && numbers.size() < grid.count())
        execution_.sampled.push_back(std::move(of_launch));
    }
  }

  /// Whether the first bytes of a buffer are known. Pages of inputs that are not given are then missing.
  bool knows(std::size_t buffer, std::size_t bytes) {
    bool is_known = true;
    for (std::size_t at = 0; at < bytes; at += Page::size) is_known &= sparse().load(buffer, at, 1);
    return is_known;
  }

  void run_memset(const StepRunner& runner, const Memset& set) {
    const std::size_t buffer = runner.number_of(set.buffer);
    const auto bytes = set.count * static_cast<std::int64_t>(set.value.bytes.size());
    const bool is_zero = std::ranges::all_of(set.value.bytes, [](std::byte byte) { return byte == std::byte{0}; });
    if (!is_zero || bytes != plan_.buffers[buffer].bytes() ||
        sparse().contents(buffer) != SparseMemory::Contents::of_launches)
      return give_up("a memset of a part of a buffer, or with another value than zero");
    engine_.memory().global.clear_sparse(buffer);
    sparse().set(buffer, SparseMemory::Contents::zeros);
  }

  const Plan& plan_;
  const Module& module_;
  SimulationOptions options_;
  Engine& engine_;
  Execution execution_;
  std::set<std::size_t> stored_to_;  ///< outputs
  bool is_over_ = false;
};

}  // namespace

Execution simulate_blocks(const Plan& plan, const Module& module, std::span<const Page> pages,
                          const SimulationOptions& options) {
  return BlocksRun(plan, module, options).run(pages);
}

}  // namespace warpwright::simulator
