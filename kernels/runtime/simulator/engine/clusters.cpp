// Clusters of blocks, as device code uses them: their barrier, and the shared memory of their blocks.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {

Block& Engine::owner_of(std::uintptr_t address) {
  Block& own = *running().block;
  if (!has_clusters_ || !memory_.shared.contains(address)) return own;
  const std::size_t slot = (address - memory_.shared.begin()) / SharedMemory::window_bytes;
  return slot / blocks_of_cluster() == own.slot / blocks_of_cluster() ? *blocks_.slots()[slot] : own;
}

void Engine::check_owner(const Block& owner, std::uintptr_t address, std::size_t size, unsigned code,
                         const void* site) {
  const auto refuse = [&](const char* why) {
    fail([&] {
      return finding_at(FindingKind::race, site, address, [&](const std::string& where) {
        return fmt::format("{} of {} bytes {}, {}", (code & access_write) != 0 ? "store" : "load", size, where, why);
      });
    });
  };
  if (running().extras->cluster_phases == 0) refuse("before a barrier of the cluster: the block may not have started");
  if (owner.live == 0) refuse("which has left the kernel: no barrier of the cluster has kept it there");
}

void* Engine::map_shared(const void* pointer, unsigned rank, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Block& own = *running().block;
  if (space_of(pointer) != Space::shared) out_of_bounds(address, 1, 0, site);
  if (rank >= blocks_of_cluster())
    fail(FindingKind::out_of_bounds, site,
         [&] { return fmt::format("block {} of a cluster that has {} blocks", rank, blocks_of_cluster()); });
  const std::size_t slot = own.slot / blocks_of_cluster() * blocks_of_cluster() + rank;
  return reinterpret_cast<void*>(address - memory_.shared.window(own.slot) + memory_.shared.window(slot));
}

unsigned Engine::rank_of_shared(const void* pointer, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (space_of(pointer) != Space::shared) out_of_bounds(address, 1, 0, site);
  return static_cast<unsigned>(owner_of(address).slot % blocks_of_cluster());
}

void Engine::cluster_arrive(bool releases, const void* site) {
  count_step(site);
  Thread& self = running();
  loops_.note_wait();
  loops_.note_change();
  counters_.disturb(self);
  if (self.extras->has_arrived_at_cluster)
    refuse_barrier(site, nullptr, nullptr, "a thread arrives at the barrier of its cluster again, before a wait");
  self.block->has_extras = true;
  self.extras->has_arrived_at_cluster = true;
  ClusterBarrier& barrier = blocks_.cluster_barrier(self.block->slot);
  if (memory_.check_races && releases) memory_.detector.arrive(self, barrier.order);
  ++barrier.arrived;
  complete_cluster_barrier(barrier, self.block->slot);
}

void Engine::cluster_wait(const void* site) {
  count_step(site);
  Thread& self = running();
  loops_.note_wait();
  ThreadExtras& extras = *self.extras;
  if (!extras.has_arrived_at_cluster)
    refuse_barrier(site, nullptr, nullptr, "a thread waits at the barrier of its cluster without having arrived");
  ClusterBarrier& barrier = blocks_.cluster_barrier(self.block->slot);
  if (barrier.phase == extras.cluster_phases) {
    self.site = site;
    self.state = ThreadState::at_barrier;
    barrier.waiting.push_back(&self);
    give_way();
  }
  extras.has_arrived_at_cluster = false;
  ++extras.cluster_phases;
  if (memory_.check_races) memory_.detector.learn(self, barrier.complete);
}

void Engine::complete_cluster_barrier(ClusterBarrier& barrier, std::size_t slot) {
  const std::size_t first = slot / blocks_of_cluster() * blocks_of_cluster();
  std::uint64_t live = 0;
  for (std::size_t i = first; i < first + blocks_of_cluster(); ++i) live += blocks_.slots()[i]->live;
  if (barrier.arrived == 0 || barrier.arrived < live) return;
  barrier.arrived = 0;
  ++barrier.phase;
  barrier.complete = std::exchange(barrier.order, {});
  scheduler_.make_all_ready(barrier.waiting);
}

void Engine::leave_cluster(const Thread& self) {
  ClusterBarrier& barrier = blocks_.cluster_barrier(self.block->slot);
  // Whoever leaves no longer counts.
  if (self.extras->has_arrived_at_cluster && barrier.phase == self.extras->cluster_phases) --barrier.arrived;
  complete_cluster_barrier(barrier, self.block->slot);
}

}  // namespace warpwright::simulator
