// Compiling through workers, with the cache in front.
#include "kernels/runtime/build/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "kernels/core/hash.hpp"
#include "kernels/core/target.hpp"
#include "kernels/runtime/build/compile_batches.hpp"
#include "kernels/runtime/messages/messages.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {
namespace {

using nlohmann::json;

/// Programs per module: the fixed cost of a compiler run is shared, and what one error costs stays small. The host
/// compiler has the larger fixed cost.
constexpr std::size_t kBatch = 16;
constexpr std::size_t kHostBatch = 48;
constexpr std::chrono::minutes kTimeLimit{3};
constexpr const char* kMadeBy = "made_by";  ///< of a cached failure: the program that met it

CompiledProgram failure(std::string log, bool transient) {
  return {.ok = false, .module = {}, .instances = {}, .log = std::move(log), .transient = transient};
}

std::shared_future<CompiledProgram> settled(CompiledProgram built) {
  std::promise<CompiledProgram> promise;
  promise.set_value(std::move(built));
  return promise.get_future().share();
}

bool is_for_gpu(std::string_view target) {
  return !is_host(target) && target != kHostFunctionsTarget;
}

/// What the program gives together with the functions that its plan's host steps call.
CompiledProgram with_host_functions(CompiledProgram built, const CompiledProgram& functions) {
  if (!built.ok) return built;
  if (!functions.ok) return failure("the functions of host steps: " + functions.log, functions.transient);
  built.host_functions = functions.module;
  return built;
}

}  // namespace

Compiler::Compiler(Pool& pool, const DiskCache& cache, const SourceTree& sources)
    : pool_(pool), cache_(cache), sources_(sources) {}

Compiler::~Compiler() {
  stopping_ = true;
  for (const auto& batch : batches_) batch.wait();
}

const Toolchain& Compiler::toolchain() {
  {
    const std::scoped_lock lock(mutex_);
    if (toolchain_) return *toolchain_;
  }
  // Without the lock: the pool's thread that is to answer may first have a task to end that needs it.
  const auto describe = [](Process& process) { return process.call({{"do", "describe"}}, kTimeLimit); };
  Process* own = pool_.own_worker();
  const Reply reply = own != nullptr ? describe(*own) : pool_.submit(describe).get();
  if (!reply.ok()) throw std::runtime_error("the worker cannot say what it compiles with: " + reply.detail);
  const json& body = reply.body;
  const std::scoped_lock lock(mutex_);
  if (!toolchain_)
    toolchain_ = Toolchain{.nvrtc_version = body.at("nvrtc_version"),
                           .nvrtc_fingerprint = body.at("nvrtc_fingerprint"),
                           .nvrtc_error = body.at("nvrtc_error"),
                           .architectures = body.at("architectures"),
                           .linker_fingerprint = body.at("linker_fingerprint"),
                           .linker_error = body.at("linker_error"),
                           .host_fingerprint = body.at("host_fingerprint"),
                           .host_functions_fingerprint = body.at("host_functions_fingerprint"),
                           .host_error = body.at("host_error"),
                           .program_fingerprint = body.at("program_fingerprint")};
  return *toolchain_;
}

bool Compiler::launches(const Program& program) {
  const auto [known, is_new] = launching_.try_emplace(sources_text(program));
  if (is_new) known->second = launches_from_device(sources_, program);
  return known->second;
}

std::string Compiler::key(const std::string& target, const Program& program) {
  auto [hash, is_new] = source_hashes_.try_emplace(sources_text(program));
  if (is_new) {
    std::string text;
    for (const std::string& path : files_of(sources_, program)) text += path + '\0' + sources_.at(path) + '\0';
    hash->second = hash_text(text);
  }
  std::string compiler = toolchain_->nvrtc_fingerprint;
  if (is_for_gpu(target) && launches(program)) compiler += toolchain_->linker_fingerprint;
  if (target == kHostFunctionsTarget) {
    compiler = toolchain_->host_functions_fingerprint;
    for (const std::string& path : includes_of(sources_, std::string(kHostCalls)))
      compiler += hash_text(sources_.at(path));
  }
  if (is_host(target)) {
    compiler = toolchain_->host_fingerprint;
    if (host_headers_.empty()) {
      // Every module includes the hooks, and may include any built-in, after the program's own files.
      for (const auto& [path, text] : sources_)
        if (is_cpu_model(path)) host_headers_ += hash_text(path + '\0' + text);
    }
    compiler += host_headers_;
  }
  std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", target, compiler, program.source, hash->second, program.contraction,
                  fmt::join(program.constants, "\n"), fmt::join(program.entries, "\n"));
  for (const auto& [name, value] : program.definitions) text += "\n#define " + name + " " + value;
  return hash_text(text);
}

std::string Compiler::key_of(const std::string& target, const Program& program) {
  toolchain();
  const std::scoped_lock lock(mutex_);
  return key(target, program);
}

void Compiler::blame_machine_or_program(Process& process, const std::string& target, const std::string& log) const {
  SourceTree sources = sources_;
  const Program control{.source = "warpwright_control.cuh", .entries = {"warpwright_control"}};
  std::string& text = sources[control.source];
  if (is_host(target)) text = "#include \"kernels/runtime/device.cuh\"\n";
  text += target == kHostFunctionsTarget ? "inline void warpwright_control() {}\n"
                                         : "__global__ void warpwright_control() {}\n";
  const Reply reply = process.call({{"do", "compile"},
                                    {"target", target},
                                    {"sources", needed_sources(sources, {control})},
                                    {"programs", std::vector{control}}},
                                   kTimeLimit);
  if (reply.ok() && reply.body.at("ok").get<bool>()) return;
  throw EnvironmentFault(fmt::format(
      "the compiler for {} fails on this machine, for an empty kernel too: {} (see df, free memory, ulimit -a)", target,
      log));
}

std::vector<CompiledProgram> Compiler::compile_batch(Process& process, const std::string& target,
                                                     const std::vector<Program>& programs) {
  // Programs that are lost together are compiled alone, and twice if need be.
  const Reply reply = process.call(
      {{"do", "compile"}, {"target", target}, {"sources", needed_sources(sources_, programs)}, {"programs", programs}},
      kTimeLimit, programs.size() > 1 ? Process::Believe::first_loss : Process::Believe::second_loss);
  const bool compiled = reply.ok() && reply.body.at("ok").get<bool>();
  if (!compiled && programs.size() > 1) {
    std::vector<CompiledProgram> singly;
    for (const Program& program : programs) singly.push_back(compile_batch(process, target, {program}).front());
    return singly;
  }
  if (!compiled) {
    std::string log = reply.detail;
    if (reply.ok()) {
      log = reply.body.at("log").get<std::string>();
      if (reply.body.at("diagnosed").get<bool>()) return {failure(log, false)};
    }
    blame_machine_or_program(process, target, log);
    const bool hung = reply.status == Reply::Status::timed_out;
    return {failure(fmt::format("the compiler {}: {}", hung ? "hung" : "failed", log), true)};
  }
  const auto& image = reply.body.at("image").get_binary();
  const std::string_view content(reinterpret_cast<const char*>(image.data()), image.size());
  const auto path = cache_.put_file(content, is_for_gpu(target) ? ".cubin" : ".so");
  const std::string log = is_host(target) ? reply.body.at("log").get<std::string>() : std::string();
  std::vector<CompiledProgram> built;
  for (std::size_t i = 0; i < programs.size(); ++i)
    built.push_back({.ok = true,
                     .module = path.string(),
                     .instances = reply.body.at("instances").at(i),
                     .log = log,
                     .constants = reply.body.at("constants").at(i)});
  return built;
}

std::vector<std::size_t> Compiler::begin(const std::vector<std::string>& keys) {
  const std::scoped_lock lock(mutex_);
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (wanted_[keys[i]] == 0 || stopping_) {
      asked_.erase(keys[i]);
      continue;
    }
    running_.insert(keys[i]);
    wanted.push_back(i);
  }
  return wanted;
}

void Compiler::compile_task(Process& process, const std::string& target, const std::vector<Program>& batch,
                            const std::vector<std::string>& keys,
                            std::vector<std::promise<CompiledProgram>>& promises) {
  std::vector<CompiledProgram> built(batch.size(), failure("not compiled any more", true));
  const std::vector<std::size_t> wanted = begin(keys);
  try {
    std::vector<Program> programs;
    for (const std::size_t i : wanted) programs.push_back(batch[i]);
    std::vector<CompiledProgram> compiled;
    if (!programs.empty()) compiled = compile_batch(process, target, programs);
    compiled_ += static_cast<int>(compiled.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) keep(keys[wanted[k]], compiled[k]);
    const std::scoped_lock lock(mutex_);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const std::string& key = keys[wanted[k]];
      done_[key] = compiled[k];
      running_.erase(key);
      built[wanted[k]] = std::move(compiled[k]);
    }
  } catch (...) {
    std::vector<std::string> lost;
    for (const std::size_t i : wanted) lost.push_back(keys[i]);
    forget(lost);
    for (std::promise<CompiledProgram>& promise : promises) promise.set_exception(std::current_exception());
    return;
  }
  for (std::size_t i = 0; i < built.size(); ++i) promises[i].set_value(std::move(built[i]));
}

std::optional<CompiledProgram> Compiler::cached_build(const std::string& key) const {
  const auto entry = cache_.find(key);
  if (!entry) return std::nullopt;
  if (!entry->value("ok", false) && entry->value(kMadeBy, "") != toolchain_->program_fingerprint) return std::nullopt;
  return entry->get<CompiledProgram>();
}

void Compiler::keep(const std::string& key, const CompiledProgram& built) const {
  if (built.transient) return;
  json entry = built;
  if (!built.ok) entry[kMadeBy] = toolchain_->program_fingerprint;
  cache_.put(key, entry);
}

void Compiler::require_compiler(const std::string& target, const Program& program) const {
  const std::string& missing = is_for_gpu(target) ? toolchain_->nvrtc_error : toolchain_->host_error;
  if (!missing.empty()) throw EnvironmentFault(missing);
  if (is_for_gpu(target) && !toolchain_->linker_error.empty() && launches_from_device(sources_, program))
    throw EnvironmentFault(toolchain_->linker_error);
}

void Compiler::forget(const std::vector<std::string>& keys) {
  const std::scoped_lock lock(mutex_);
  for (const std::string& key : keys) {
    running_.erase(key);
    asked_.erase(key);
  }
}

void Compiler::give_up(const std::string& target, const std::vector<Program>& programs) {
  toolchain();
  const std::scoped_lock lock(mutex_);
  for (const Program& program : programs) --wanted_[key(target, program)];
}

void Compiler::begin_batch(const std::string& target, const std::vector<Program>& programs,
                           const std::vector<std::size_t>& places, std::vector<std::string> keys) {
  std::vector<Program> batch;
  for (const std::size_t i : places) batch.push_back(programs[i]);
  // Promises and no deferred futures: who asks may want to know what is ready.
  auto promises = std::make_shared<std::vector<std::promise<CompiledProgram>>>(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) asked_[keys[i]] = promises->at(i).get_future().share();
  batches_.push_back(pool_
                         .submit([this, target, batch = std::move(batch), keys = std::move(keys), promises](
                                     Process& process) { compile_task(process, target, batch, keys, *promises); })
                         .share());
}

std::vector<std::shared_future<CompiledProgram>> Compiler::compile_together(const std::string& target,
                                                                            const std::vector<Program>& programs) {
  toolchain();
  std::vector<std::string> own;
  for (const Program& program : programs) own.push_back(key(target, program));
  const std::scoped_lock lock(mutex_);
  std::vector<std::size_t> all(programs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::shared_future<CompiledProgram>> results(programs.size());
  for (const auto& batch :
       batches_of(programs, all, kHostBatch, [this](const Program& program) { return launches(program); })) {
    std::string module = "together";
    for (const std::size_t i : batch) module += own[i];
    std::vector<std::string> keys;
    for (const std::size_t i : batch) keys.push_back(hash_text(module + own[i]));
    if (!asked_.contains(keys.front())) {
      std::vector<std::optional<CompiledProgram>> known;
      for (const std::string& one : keys) known.push_back(cached_build(one));
      if (std::ranges::all_of(known, [](const auto& built) { return built.has_value(); })) {
        for (std::size_t k = 0; k < batch.size(); ++k) asked_[keys[k]] = settled(done_[keys[k]] = *known[k]);
      } else {
        require_compiler(target, programs[batch.front()]);
        for (const std::string& one : keys) ++wanted_[one];
        begin_batch(target, programs, batch, keys);
      }
    }
    // Who asks for one of them is given this one.
    for (std::size_t k = 0; k < batch.size(); ++k) {
      results[batch[k]] = asked_.at(keys[k]);
      asked_.try_emplace(own[batch[k]], results[batch[k]]);
    }
  }
  return results;
}

std::vector<std::shared_future<CompiledProgram>> Compiler::compile(const std::string& target,
                                                                   const std::vector<Program>& programs) {
  toolchain();
  const auto functions = compile_host_functions(target, programs);
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_future<CompiledProgram>> results(programs.size());
  std::vector<std::string> keys;
  std::vector<std::size_t> pending;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    keys.push_back(key(target, programs[i]));
    ++wanted_[keys[i]];
    if (const auto asked = asked_.find(keys[i]); asked != asked_.end()) {
      results[i] = asked->second;
    } else if (auto known = cached_build(keys[i])) {
      ++cached_;
      done_[keys[i]] = *std::move(known);
      results[i] = asked_[keys[i]] = settled(done_[keys[i]]);
    } else {
      require_compiler(target, programs[i]);
      pending.push_back(i);
      asked_[keys[i]];
    }
  }

  const std::size_t fair_share = (pending.size() + pool_.size() - 1) / pool_.size();
  const std::size_t batch_size = std::clamp<std::size_t>(fair_share, 1, is_host(target) ? kHostBatch : kBatch);
  for (const auto& batch : batches_of(programs, std::move(pending), batch_size,
                                      [this](const Program& program) { return launches(program); })) {
    std::vector<std::string> batch_keys;
    for (const std::size_t i : batch) batch_keys.push_back(keys[i]);
    begin_batch(target, programs, batch, std::move(batch_keys));
  }
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!results[i].valid()) results[i] = asked_.at(keys[i]);
    if (const auto with = functions.find(i); with != functions.end())
      results[i] = std::async(std::launch::deferred, [own = results[i], more = with->second] {
                     return with_host_functions(own.get(), more.get());
                   }).share();
  }
  return results;
}

std::map<std::size_t, std::shared_future<CompiledProgram>> Compiler::compile_host_functions(
    const std::string& target, const std::vector<Program>& programs) {
  std::map<std::size_t, std::shared_future<CompiledProgram>> found;
  if (target == kHostFunctionsTarget) return found;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (!programs[i].host_functions.empty())
      found[i] = compile(std::string(kHostFunctionsTarget), {host_functions_program(programs[i])}).front();
  return found;
}

CompiledProgram Compiler::compile_here(Process& process, const std::string& target, const Program& program) {
  if (target == kHostFunctionsTarget || program.host_functions.empty())
    return compile_alone_here(process, target, program);
  return with_host_functions(
      compile_alone_here(process, target, program),
      compile_alone_here(process, std::string(kHostFunctionsTarget), host_functions_program(program)));
}

CompiledProgram Compiler::compile_alone_here(Process& process, const std::string& target, const Program& program) {
  toolchain();
  std::string key;
  std::shared_future<CompiledProgram> running;
  {
    const std::scoped_lock lock(mutex_);
    key = this->key(target, program);
    if (const auto known = done_.find(key); known != done_.end()) return known->second;
    if (running_.contains(key)) running = asked_.at(key);
  }
  // What another worker compiles just now waits for nobody; what is only queued might wait for this task.
  if (running.valid()) return running.get();
  CompiledProgram built;
  if (auto known = cached_build(key)) {
    ++cached_;
    built = *std::move(known);
  } else {
    require_compiler(target, program);
    built = compile_batch(process, target, {program}).front();
    ++compiled_;
    keep(key, built);
  }
  const std::scoped_lock lock(mutex_);
  return done_[key] = built;
}

CompiledProgram Compiler::compile_one(const std::string& target, const Program& program) {
  if (Process* own = pool_.own_worker()) return compile_here(*own, target, program);
  return compile(target, {program}).front().get();
}

}  // namespace warpwright::worker
