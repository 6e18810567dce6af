// Follows the branches of the running thread while they are counted.
#include "kernels/runtime/simulator/engine/branch_follower.hpp"

#include "kernels/model/catalogue.hpp"

namespace warpwright::simulator {

void BranchFollower::begin(const Module& module, bool is_on) {
  module_ = &module;
  watch_ = module.table().watch;
  watch_->set_kinds(is_on ? module.comparisons() : nullptr);
  watch_->base = reinterpret_cast<const char*>(module.base());
  watch_->compared = 0;
  followed_ = nullptr;
  if (is_on) trace_.restart();
}

void BranchFollower::follow(Thread& thread) {
  leave();
  followed_ = &thread;
  BranchTrace::Lane& lane = (*thread.warp->branches)[thread.lane];
  watch_->stack_bottom = static_cast<const char*>(thread.fiber->suspended.stack_bottom);
  watch_->next = lane.next();
  watch_->end = lane.end();
  watch_->compared = thread.compared;
  watch_->await_block(thread.compared != 0);
}

void BranchFollower::leave() {
  if (followed_ == nullptr) return;
  followed_->compared = watch_->compared;
  (*followed_->warp->branches)[followed_->lane].noted_up_to(watch_->next);
  followed_ = nullptr;
  watch_->compared = 0;
  watch_->await_block(false);
}

void BranchFollower::meet(Block& block) {
  Thread* const thread = followed_;
  leave();
  trace_.meet(block.slot);
  if (thread != nullptr) follow(*thread);
}

void BranchFollower::make_room() {
  Thread& self = *followed_;
  leave();
  trace_.make_room(*self.warp->branches, self.lane);
  follow(self);
}

void BranchFollower::classify(const void* comparison) const {
  // A GPU does not execute the comparisons of the simulator's own headers, such as bounds checks of shared arrays.
  const bool of_host = is_cpu_model(module_->line_of(comparison).file);
  const auto offset = static_cast<const std::byte*>(comparison) - module_->base();
  module_->comparisons()[static_cast<std::size_t>(offset)] = of_host ? comparison_of_host : comparison_of_device;
}

}  // namespace warpwright::simulator
