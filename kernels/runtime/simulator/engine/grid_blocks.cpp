// The blocks of a launch: which are resident, and which one comes next.
#include "kernels/runtime/simulator/engine/grid_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/runtime/simulator/results/options.hpp"

namespace warpwright::simulator {
namespace {

// A grid with more clusters runs in its natural order, because storing an order would take too much memory.
constexpr std::uint64_t most_ordered_clusters = std::uint64_t{1} << 24;

/// The cluster of a spread sample with that number. The points of an additive recurrence fill a box evenly, however
/// many there are. Source: M. Roberts, The Unreasonable Effectiveness of Quasirandom Sequences, 2018.
Index3 spread(std::uint64_t number, const Dim3& clusters) {
  constexpr double by_x = 0.8191725133961645, by_y = 0.6710436067037893, by_z = 0.5497004779019703;
  const auto at = [number](double by, unsigned extent) {
    double whole = 0;
    const double part = std::modf(0.5 + static_cast<double>(number) * by, &whole);
    return std::min(static_cast<unsigned>(part * extent), extent - 1);
  };
  return {at(by_x, clusters.x), at(by_y, clusters.y), at(by_z, clusters.z)};
}

/// The first cluster, its neighbours along each dimension, and the last one.
Index3 first(std::uint64_t number, const Dim3& clusters) {
  const auto second = [number](std::uint64_t neighbour, unsigned extent) {
    return number == neighbour && extent > 1 ? 1u : 0u;
  };
  if (number + 1 == SimulationOptions::kFirstBlocks) return {clusters.x - 1, clusters.y - 1, clusters.z - 1};
  return {second(1, clusters.x), second(2, clusters.y), second(3, clusters.z)};
}

}  // namespace

void GridBlocks::begin_launch(const Launch& launch, std::uint64_t wanted, const SimulationOptions& options) {
  launch_ = &launch;
  cluster_ = launch.cluster.count();
  left_ = launch.grid.count();
  spread_ = static_cast<std::uint64_t>(options.sampled_blocks);
  const std::uint64_t sampled = spread_ + (options.first_blocks ? SimulationOptions::kFirstBlocks : 0);
  if (spread_ > 0) left_ = std::min(left_, sampled * cluster_);
  turns_ = left_;
  is_spread_ = options.spread_blocks && turns_ < launch.grid.count();
  next_ = 0;
  at_grid_.clear();
  blocks_at_grid_ = 0;
  constexpr std::uint64_t one = 1;
  const std::uint64_t together = most_cooperative_threads / launch.block.count();
  const std::uint64_t resident =
      launch.cooperative ? left_ : std::max(std::min({left_, wanted, together}) / cluster_, one) * cluster_;
  while (slots_.size() < resident) slots_.push_back(std::make_unique<Block>());
  slots_.resize(resident);
  cluster_barriers_.assign((resident + cluster_ - 1) / cluster_, {});
}

void GridBlocks::set_order(Order order, Random& random) {
  order_.clear();
  const std::uint64_t clusters = left_ / cluster_;
  if (order == Order::natural || clusters > most_ordered_clusters) return;
  order_.resize(clusters);
  std::iota(order_.begin(), order_.end(), 0u);
  if (order == Order::reversed) std::reverse(order_.begin(), order_.end());
  if (order == Order::shuffled) random.shuffle(order_);
}

Index3 GridBlocks::index_of_turn(std::uint64_t turn) const {
  const auto split = [](std::uint64_t number, const Dim3& extent) {
    return Index3{static_cast<unsigned>(number % extent.x), static_cast<unsigned>(number / extent.x % extent.y),
                  static_cast<unsigned>(number / extent.x / extent.y)};
  };
  const Dim3& size = launch_->cluster;
  const Dim3 clusters{launch_->grid.x / size.x, launch_->grid.y / size.y, launch_->grid.z / size.z};
  std::uint64_t number = turn / cluster_;
  // The first one, the last one, and some between.
  if (const std::uint64_t sampled = turns_ / cluster_; sampled > 1 && !is_spread_)
    number += number * (clusters.count() - sampled) / (sampled - 1);
  const Index3 cluster = !is_spread_        ? split(order_.empty() ? number : order_[number], clusters)
                         : number < spread_ ? spread(number, clusters)
                                            : first(number - spread_, clusters);
  const Index3 member = split(turn % cluster_, size);
  return {cluster.x * size.x + member.x, cluster.y * size.y + member.y, cluster.z * size.z + member.z};
}

void GridBlocks::admit(Block& block) {
  const Dim3& grid = launch_->grid;
  const Dim3& extent = launch_->block;
  block.index = index_of_turn(next_++);
  block.number = block.index.x + std::uint64_t{grid.x} * (block.index.y + std::uint64_t{grid.y} * block.index.z);
  const auto count = static_cast<std::uint32_t>(extent.count());
  block.threads.resize(count);
  block.warps.resize((count + 31) / 32);
  block.count = block.live = count;
  block.at_grid = 0;
  block.extras.resize(count);
  block.arrived.clear();
  block.phase_barriers.clear();
  block.named_barriers.clear();
  if (block.slot % cluster_ == 0) cluster_barrier(block.slot) = {};
  block.warpgroups.clear();
  block.at_products.clear();
  block.launch_registers = 0;
  block.at_registers.clear();
  if (block.has_extras) std::fill(block.extras.begin(), block.extras.end(), ThreadExtras{});
  block.has_extras = false;
  for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
    Warp& warp = block.warps[i];
    const std::uint32_t lanes = std::min(32u, count - i * 32);
    warp.lanes = &block.threads[i * 32];
    warp.number = i;
    warp.existing = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    warp.exited = 0;
    warp.groups.clear();
    warp.registers = 0;
  }
  Index3 index{};
  for (std::uint32_t i = 0; i < count; ++i) {
    Thread& thread = block.threads[i];
    thread.fiber = nullptr;
    thread.block = &block;
    thread.warp = &block.warps[i / 32];
    thread.state = ThreadState::waiting_to_start;
    thread.lane = static_cast<std::uint8_t>(i % 32);
    thread.index = index;
    thread.number = i;
    thread.polled = nullptr;
    thread.in_range = false;
    thread.compared = 0;
    thread.extras = &block.extras[i];
    if (++index.x == extent.x) {
      index.x = 0;
      if (++index.y == extent.y) {
        index.y = 0;
        ++index.z;
      }
    }
  }
}

std::span<const std::unique_ptr<Block>> GridBlocks::finish(const Block& block) {
  --left_;
  if (next_ == turns_) return {};
  const std::span cluster(&slots_[block.slot / cluster_ * cluster_], cluster_);
  const bool is_finished = std::ranges::all_of(cluster, [](const auto& one) { return one->live == 0; });
  return is_finished ? cluster : cluster.first(0);
}

bool GridBlocks::arrive_at_grid(Thread& thread) {
  at_grid_.push_back(&thread);
  Block& block = *thread.block;
  if (++block.at_grid != block.live) return false;
  block.at_grid = 0;
  if (++blocks_at_grid_ != launch_->grid.count()) return false;
  blocks_at_grid_ = 0;
  return true;
}

}  // namespace warpwright::simulator
