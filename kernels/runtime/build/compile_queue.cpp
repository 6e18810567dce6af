// Tracks which programs are queued, being compiled or settled.
#include "kernels/runtime/build/compile_queue.hpp"

#include <exception>
#include <utility>

namespace warpwright::worker {

CompiledProgram failed_program(std::string log, bool transient) {
  return {.ok = false, .module = {}, .instances = {}, .log = std::move(log), .transient = transient};
}

CompiledProgram with_host_functions(CompiledProgram program, const CompiledProgram& functions) {
  if (!program.ok) return program;
  if (!functions.ok) return failed_program("the functions of host steps: " + functions.log, functions.transient);
  program.host_functions = functions.module;
  return program;
}

bool CompileResult::wait_for(std::chrono::milliseconds most) const {
  const auto end = std::chrono::steady_clock::now() + most;
  return own_.wait_until(end) == std::future_status::ready &&
         (!functions_.valid() || functions_.wait_until(end) == std::future_status::ready);
}

CompiledProgram CompileResult::get() const {
  return functions_.valid() ? with_host_functions(own_.get(), functions_.get()) : own_.get();
}

bool CompileQueue::contains(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  return entries_.contains(key);
}

CompileQueue::Asked CompileQueue::find_or_make(const std::string& key) {
  const auto [entry, is_new] = entries_.try_emplace(key);
  if (is_new) entry->second.result = CompileResult(entry->second.promise.get_future().share());
  return {.result = entry->second.result, .is_new = is_new};
}

std::vector<CompileQueue::Asked> CompileQueue::ask(const std::vector<std::string>& keys,
                                                   const std::vector<std::optional<CompiledProgram>>& known) {
  const std::scoped_lock lock(mutex_);
  std::vector<Asked> asked;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    asked.push_back(find_or_make(keys[i]));
    Entry& entry = entries_.at(keys[i]);
    ++entry.wanted;
    if (!asked.back().is_new || !known[i]) continue;
    entry.is_begun = true;
    entry.promise.set_value(*known[i]);
  }
  return asked;
}

void CompileQueue::add_alias(const std::string& key, const CompileResult& result) {
  const std::scoped_lock lock(mutex_);
  const auto [entry, is_new] = entries_.try_emplace(key);
  if (!is_new) return;
  entry->second.result = result;
  entry->second.is_alias = true;
}

void CompileQueue::give_up(const std::vector<std::string>& keys) {
  const std::scoped_lock lock(mutex_);
  for (const std::string& key : keys)
    if (const auto entry = entries_.find(key); entry != entries_.end()) --entry->second.wanted;
}

std::vector<std::size_t> CompileQueue::begin(const std::vector<std::string>& keys) {
  const std::scoped_lock lock(mutex_);
  std::vector<std::size_t> begun;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto entry = entries_.find(keys[i]);
    if (entry == entries_.end() || entry->second.is_begun) continue;
    if (entry->second.wanted <= 0 || is_stopping_) {
      entry->second.promise.set_value(failed_program("not compiled any more", true));
      entries_.erase(entry);
      continue;
    }
    entry->second.is_begun = true;
    begun.push_back(i);
  }
  return begun;
}

CompileQueue::Asked CompileQueue::begin_now(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  find_or_make(key);
  Entry& entry = entries_.at(key);
  const bool is_ours = !std::exchange(entry.is_begun, true);
  // The other key may only be queued, after the caller's.
  if (is_ours && std::exchange(entry.is_alias, false)) entry.result = CompileResult(entry.promise.get_future().share());
  return {.result = entry.result, .is_new = is_ours};
}

void CompileQueue::settle(const std::vector<std::string>& keys,
                          const std::function<std::vector<CompiledProgram>()>& make) {
  std::vector<CompiledProgram> made;
  std::exception_ptr fault;
  try {
    made = make();
  } catch (...) {
    fault = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto entry = entries_.find(keys[i]);
    if (!fault) {
      entry->second.promise.set_value(std::move(made.at(i)));
    } else {
      entry->second.promise.set_exception(fault);
      entries_.erase(entry);
    }
  }
}

void CompileQueue::add_batch(std::shared_future<void> batch) {
  const std::scoped_lock lock(mutex_);
  batches_.push_back(std::move(batch));
}

void CompileQueue::stop() {
  std::vector<std::shared_future<void>> batches;
  {
    const std::scoped_lock lock(mutex_);
    is_stopping_ = true;
    batches = batches_;
  }
  for (const auto& batch : batches) batch.wait();
}

}  // namespace warpwright::worker
