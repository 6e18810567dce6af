// The functions through which compiled device code reaches its engine.
#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {

const Runtime& hooks() {
  static constexpr Runtime table = {
      .access = [](const void* address, unsigned code,
                   const void* site) { Engine::current().access(address, code, site); },
      .compare_and_swap = [](const void* address, unsigned code, unsigned long long expected,
                             const void* site) { Engine::current().compare_and_swap(address, code, expected, site); },
      .access_range = [](const void* address, unsigned long long bytes, unsigned code,
                         const void* site) { Engine::current().access_range(address, bytes, code, site); },
      .fill = [](void* to, int byte, unsigned long long bytes,
                 const void* site) { Engine::current().fill(to, byte, bytes, site); },
      .copy = [](void* to, const void* from, unsigned long long bytes,
                 const void* site) { Engine::current().copy(to, from, bytes, site); },
      .built_ins = []() { return &Engine::current().built_ins(); },
      .shared_variable = [](SharedVariable* variable) { return Engine::current().shared_variable(*variable); },
      .bad_index = [](const IndexedArray& array, long long index,
                      const void* site) { Engine::current().bad_index(array, index, site); },
      .outside_variable = [](const void* address,
                             const void* site) { Engine::current().outside_variable(address, site); },
      .overflow =
          [](char operation, long long left, long long right, unsigned bits, const void* site) {
            Engine::current().overflow({operation, left, right, bits, site});
          },
      .wide_shift = [](long long by, unsigned bits, const void* site) { Engine::current().wide_shift(by, bits, site); },
      .sync_threads =
          [](BarrierReduction reduction, int predicate, const void* site, const void* frame) {
            return Engine::current().sync_threads(reduction, predicate, site, frame);
          },
      .named_barrier = [](NamedBarrierCall call, const void* site,
                          const void* frame) { Engine::current().named_barrier(call, site, frame); },
      .map_shared = [](const void* pointer, unsigned rank,
                       const void* site) { return Engine::current().map_shared(pointer, rank, site); },
      .rank_of_shared = [](const void* pointer,
                           const void* site) { return Engine::current().rank_of_shared(pointer, site); },
      .cluster_arrive = [](bool releases, const void* site) { Engine::current().cluster_arrive(releases, site); },
      .cluster_wait = [](const void* site) { Engine::current().cluster_wait(site); },
      .sync_grid = [](const void* site, const void* frame) { Engine::current().sync_grid(site, frame); },
      .warp = [](WarpCall call, unsigned long long value,
                 const void* site) { return Engine::current().warp_operation(call, value, site); },
      .active_mask = []() { return Engine::current().active_mask(); },
      .fence = [](Scope scope, bool is_sequential,
                  const void* site) { Engine::current().fence(scope, is_sequential, site); },
      .space_of = [](const void* address) { return Engine::current().space_of(address); },
      .async_copy = [](void* to, const void* from, unsigned bytes,
                       const void* site) { Engine::current().async_copy(to, from, bytes, site); },
      .async_commit = []() { Engine::current().async_commit(); },
      .async_wait = [](unsigned pending, const void*) { Engine::current().async_wait(pending); },
      .bulk_copy = [](void* to, const void* from, unsigned bytes, void* barrier, unsigned blocks,
                      const void* site) { Engine::current().bulk_copy(to, from, bytes, barrier, blocks, site); },
      .bulk_copy_box = [](void* to, const BoxAt& box, void* barrier, unsigned blocks,
                          const void* site) { Engine::current().bulk_copy_box(to, box, barrier, blocks, site); },
      .store_async = [](void* to, const void* value, unsigned bytes, void* barrier,
                        const void* site) { Engine::current().store_async(to, value, bytes, barrier, site); },
      .bulk_store = [](void* to, const void* from, unsigned bytes,
                       const void* site) { Engine::current().bulk_store(to, from, bytes, site); },
      .bulk_reduce = [](void* to, const void* from, unsigned bytes, ElementReduction elements,
                        const void* site) { Engine::current().bulk_store(to, from, bytes, site, elements); },
      .bulk_store_box = [](const BoxAt& box, const void* from,
                           const void* site) { Engine::current().bulk_store_box(box, from, site); },
      .bulk_commit = []() { Engine::current().bulk_commit(); },
      .bulk_wait = [](unsigned pending, bool is_all, const void*) { Engine::current().bulk_wait(pending, is_all); },
      .barrier_copy = [](void* to, const void* from, unsigned bytes, void* barrier,
                         const void* site) { Engine::current().barrier_copy(to, from, bytes, barrier, site); },
      .fence_async = [](bool of_barriers) { Engine::current().fence_async(of_barriers); },
      .phase_init = [](void* barrier, unsigned arrivals,
                       const void* site) { Engine::current().phase_init(barrier, arrivals, site); },
      .phase_arrive =
          [](void* barrier, unsigned arrivals, unsigned expected_bytes, const void* site) {
            return Engine::current().phase_arrive(barrier, arrivals, expected_bytes, site);
          },
      .phase_arrive_copied = [](void* barrier,
                                const void* site) { Engine::current().phase_arrive_copied(barrier, site); },
      .phase_done = [](void* barrier, unsigned parity,
                       const void* site) { return Engine::current().phase_done(barrier, parity, site) ? 1 : 0; },
      .wait_for_previous_launch = []() { Engine::current().wait_for_previous_launch(); },
      .pause = [](const void* site) { Engine::current().pause(site); },
      .trap = [](const void* site) { Engine::current().trap(site); },
      .assertion_failed = [](const char* condition,
                             const void* site) { Engine::current().assertion_failed(condition, site); },
      .clock = [](const void* site) { return Engine::current().clock(site); },
      .print =
          [](const char* text, unsigned long long bytes) {
            Engine::current().print({text, bytes});
          },
      .require_cooperative_launch = [](const void* site) { Engine::current().require_cooperative_launch(site); },
      .classify = [](const void* comparison) { Engine::current().classify(comparison); },
      .branches_full = []() { Engine::current().branches_full(); },
      .block = [](const void* site, const void* frame,
                  const void* registers) { Engine::current().block_begun(site, frame, registers); },
      .no_model = [](const char* what, const void* site) { Engine::current().no_model(what, site); },
      .compared =
          [](unsigned long long left, unsigned long long right, unsigned bytes, const void* site) {
            Engine::current().compared({left, right, bytes, site});
          },
  };
  return table;
}

const Runtime& hooks_of_programmatic_launches() {
  static const Runtime table = [] {
    Runtime made = hooks();
    made.access = [](const void* address, unsigned code, const void* site) {
      Engine::current().check_early(address, code & access_size, (code & access_write) != 0, site);
      hooks().access(address, code, site);
    };
    made.compare_and_swap = [](const void* address, unsigned code, unsigned long long expected, const void* site) {
      Engine::current().check_early(address, code & access_size, true, site);
      hooks().compare_and_swap(address, code, expected, site);
    };
    made.access_range = [](const void* address, unsigned long long bytes, unsigned code, const void* site) {
      Engine::current().check_early(address, bytes, (code & access_write) != 0, site);
      hooks().access_range(address, bytes, code, site);
    };
    made.fill = [](void* to, int byte, unsigned long long bytes, const void* site) {
      Engine::current().check_early(to, bytes, true, site);
      hooks().fill(to, byte, bytes, site);
    };
    made.copy = [](void* to, const void* from, unsigned long long bytes, const void* site) {
      Engine::current().check_early(from, bytes, false, site);
      Engine::current().check_early(to, bytes, true, site);
      hooks().copy(to, from, bytes, site);
    };
    made.async_copy = [](void* to, const void* from, unsigned bytes, const void* site) {
      Engine::current().check_early(from, bytes, false, site);
      hooks().async_copy(to, from, bytes, site);
    };
    made.barrier_copy = [](void* to, const void* from, unsigned bytes, void* barrier, const void* site) {
      Engine::current().check_early(from, bytes, false, site);
      hooks().barrier_copy(to, from, bytes, barrier, site);
    };
    made.bulk_copy = [](void* to, const void* from, unsigned bytes, void* barrier, unsigned blocks, const void* site) {
      Engine::current().check_early(from, bytes, false, site);
      hooks().bulk_copy(to, from, bytes, barrier, blocks, site);
    };
    return made;
  }();
  return table;
}

}  // namespace warpwright::simulator
