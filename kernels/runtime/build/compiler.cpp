// Compiles in workers, with the disk cache in front.
#include "kernels/runtime/build/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "kernels/core/hash.hpp"
#include "kernels/core/target.hpp"
#include "kernels/runtime/build/compile_batches.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {
namespace {

using nlohmann::json;

/// Programs per module. More of them share the fixed cost of a compiler run, which is larger for the host compiler.
/// Fewer make an error in one of them cheaper.
constexpr std::size_t kBatch = 16;
constexpr std::size_t kHostBatch = 48;
constexpr std::chrono::minutes kTimeLimit{3};
/// For a program. Without optimization it takes some hundredths of that.
constexpr std::chrono::seconds kSlow{1};
constexpr const char* kMadeBy = "made_by";  ///< key in a cached failure: the program that met it

}  // namespace

Compiler::Compiler(Pool& pool, const DiskCache& cache, const SourceTree& sources)
    : pool_(pool), cache_(cache), sources_(sources), keys_(sources) {}

Compiler::~Compiler() {
  queue_.stop();
}

const Toolchain& Compiler::toolchain() {
  {
    const std::scoped_lock lock(mutex_);
    if (toolchain_) return *toolchain_;
  }
  // Not under the lock: the pool's thread that answers may first have to finish a task that needs the lock.
  const auto describe = [](Process& process) { return process.call(Describe(), kTimeLimit); };
  Process* own = pool_.own_worker();
  auto described = own != nullptr ? describe(*own) : pool_.submit(describe).get();
  if (!described.ok()) throw std::runtime_error("the worker cannot say what it compiles with: " + described.detail);
  const std::scoped_lock lock(mutex_);
  if (!toolchain_) toolchain_ = std::move(described.reply);
  return *toolchain_;
}

std::string Compiler::key_of(const std::string& target, const Program& program) {
  return keys_.of(target, program, toolchain());
}

std::vector<std::string> Compiler::keys_of(const std::string& target, const std::vector<Program>& programs) {
  std::vector<std::string> keys;
  for (const Program& program : programs) keys.push_back(key_of(target, program));
  return keys;
}

void Compiler::check_environment_of(Process& process, const std::string& target, const std::string& log) const {
  SourceTree sources = sources_;
  const Program control{.source = "warpwright_control.cuh", .entries = {"warpwright_control"}};
  std::string& text = sources[control.source];
  if (is_host(target)) text = "#include \"kernels/runtime/device.cuh\"\n";
  text += target == kHostFunctionsTarget ? "inline void warpwright_control() {}\n"
                                         : "__global__ void warpwright_control() {}\n";
  const auto compiled = process.call(
      Compile{.sources = needed_sources(sources, {control}), .programs = {control}, .target = target}, kTimeLimit);
  if (compiled.ok() && compiled.reply.ok) return;
  throw EnvironmentFault(fmt::format(
      "the compiler for {} fails on this machine, for an empty kernel too: {} (see df, free memory, ulimit -a)", target,
      log));
}

std::vector<CompiledProgram> Compiler::compile_batch(Process& process, const std::string& target,
                                                     const std::vector<Program>& programs) {
  // If a worker is lost with a module, its programs are compiled one by one, twice if necessary.
  const auto begin = std::chrono::steady_clock::now();
  auto answered =
      process.call(Compile{.sources = needed_sources(sources_, programs),
                           .programs = programs,
                           .target = target,
                           .try_quickly = is_for_gpu(target) && are_slow(programs)},
                   kTimeLimit, programs.size() > 1 ? Process::Believe::first_loss : Process::Believe::second_loss);
  if (is_for_gpu(target)) note_time(programs, std::chrono::steady_clock::now() - begin);
  CompiledModule& module = answered.reply;
  const bool compiled = answered.ok() && module.ok;
  if (!compiled && programs.size() > 1) {
    std::vector<CompiledProgram> singly;
    for (const Program& program : programs) singly.push_back(compile_batch(process, target, {program}).front());
    return singly;
  }
  if (!compiled) {
    const std::string log = answered.ok() ? module.log : answered.detail;
    if (answered.ok() && module.diagnosed)
      return {{.ok = false, .log = log, .missing_header = std::move(module.missing_header)}};
    check_environment_of(process, target, log);
    const bool hung = answered.status == CallStatus::timed_out;
    return {failed_program(fmt::format("the compiler {}: {}", hung ? "hung" : "failed", log), true)};
  }
  const std::string_view content(reinterpret_cast<const char*>(module.image.data()), module.image.size());
  const auto path = cache_.put_file(content, is_for_gpu(target) ? ".cubin" : ".so");
  const std::string log = is_host(target) ? module.log : std::string();
  std::vector<CompiledProgram> built;
  for (std::size_t i = 0; i < programs.size(); ++i)
    built.push_back({.ok = true,
                     .module = path.string(),
                     .instances = std::move(module.instances.at(i)),
                     .log = log,
                     .constants = std::move(module.constants.at(i))});
  return built;
}

bool Compiler::are_slow(const std::vector<Program>& programs) {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(programs, [this](const Program& program) { return slow_.contains(program.source); });
}

void Compiler::note_time(const std::vector<Program>& programs, std::chrono::steady_clock::duration time) {
  if (time < kSlow * programs.size()) return;
  const std::scoped_lock lock(mutex_);
  for (const Program& program : programs) slow_.insert(program.source);
}

std::vector<CompiledProgram> Compiler::compile_and_keep(Process& process, const std::string& target,
                                                        const std::vector<Program>& programs,
                                                        const std::vector<std::string>& keys) {
  std::vector<CompiledProgram> compiled = compile_batch(process, target, programs);
  compiled_ += static_cast<int>(compiled.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keep(keys[i], compiled[i]);
  return compiled;
}

std::optional<CompiledProgram> Compiler::find_cached(const std::string& key) const {
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

void Compiler::require_compiler(const std::string& target, const Program& program) {
  const std::string& missing = is_for_gpu(target) ? toolchain_->nvrtc_error : toolchain_->host_error;
  if (!missing.empty()) throw EnvironmentFault(missing);
  if (is_for_gpu(target) && !toolchain_->linker_error.empty() && keys_.kind(program).launches_from_device)
    throw EnvironmentFault(toolchain_->linker_error);
}

void Compiler::give_up(const std::string& target, const std::vector<Program>& programs) {
  for (const Program& program : programs)
    if (!program.host_functions.empty() && target != kHostFunctionsTarget)
      give_up(std::string(kHostFunctionsTarget), {host_functions_program(program)});
  queue_.give_up(keys_of(target, programs));
}

void Compiler::queue_batch(const std::string& target, const std::vector<Program>& programs,
                           const std::vector<std::size_t>& places, const std::vector<std::string>& keys,
                           Urgency urgency) {
  std::vector<Program> batch;
  std::vector<std::string> batch_keys;
  for (const std::size_t i : places) {
    batch.push_back(programs[i]);
    batch_keys.push_back(keys[i]);
  }
  const auto task = [this, target, batch = std::move(batch), keys = std::move(batch_keys)](Process& process) {
    std::vector<Program> begun;
    std::vector<std::string> begun_keys;
    for (const std::size_t i : queue_.begin(keys)) {
      begun.push_back(batch[i]);
      begun_keys.push_back(keys[i]);
    }
    if (begun.empty()) return;
    queue_.settle(begun_keys, [&] { return compile_and_keep(process, target, begun, begun_keys); });
  };
  queue_.add_batch(pool_.submit(task, urgency).share());
}

std::vector<CompileResult> Compiler::compile_together(const std::string& target, const std::vector<Program>& programs) {
  const std::vector<std::string> own = keys_of(target, programs);
  std::vector<std::string> keys(programs.size());
  std::vector<CompileResult> results(programs.size());
  std::vector<std::size_t> all(programs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const auto& batch :
       batches_of(programs, all, kHostBatch, [this](const Program& program) { return keys_.kind(program); })) {
    std::string module = "together";
    for (const std::size_t i : batch) module += own[i];
    std::vector<std::string> batch_keys;
    for (const std::size_t i : batch) batch_keys.push_back(keys[i] = hash_text(module + own[i]));
    std::vector<std::optional<CompiledProgram>> known(batch.size());
    if (!queue_.contains(batch_keys.front())) {
      std::ranges::transform(batch_keys, known.begin(), [this](const std::string& key) { return find_cached(key); });
      if (!std::ranges::all_of(known, [](const auto& built) { return built.has_value(); })) {
        require_compiler(target, programs[batch.front()]);
        known.assign(batch.size(), std::nullopt);
      }
    }
    const auto asked = queue_.ask(batch_keys, known);
    if (asked.front().is_new && !known.front()) queue_batch(target, programs, batch, keys);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      results[batch[k]] = asked[k].result;
      queue_.add_alias(own[batch[k]], asked[k].result);
    }
  }
  return results;
}

std::vector<CompileResult> Compiler::compile(const std::string& target, const std::vector<Program>& programs,
                                             Urgency urgency) {
  const auto functions = compile_host_functions(target, programs);
  const std::vector<std::string> keys = keys_of(target, programs);
  std::vector<std::optional<CompiledProgram>> known(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (queue_.contains(keys[i])) continue;
    known[i] = find_cached(keys[i]);
    if (!known[i]) require_compiler(target, programs[i]);
  }
  const auto asked = queue_.ask(keys, known);
  std::vector<CompileResult> results;
  std::vector<std::size_t> pending;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    results.push_back(asked[i].result);
    if (const auto with = functions.find(i); with != functions.end())
      results[i] = CompileResult(results[i], with->second);
    if (!asked[i].is_new) continue;
    if (known[i])
      ++cached_;
    else
      pending.push_back(i);
  }
  const std::size_t fair_share = (pending.size() + pool_.size() - 1) / pool_.size();
  const std::size_t batch_size = std::clamp<std::size_t>(fair_share, 1, is_host(target) ? kHostBatch : kBatch);
  for (const auto& batch : batches_of(programs, std::move(pending), batch_size,
                                      [this](const Program& program) { return keys_.kind(program); }))
    queue_batch(target, programs, batch, keys, urgency);
  return results;
}

std::map<std::size_t, CompileResult> Compiler::compile_host_functions(const std::string& target,
                                                                      const std::vector<Program>& programs) {
  std::map<std::size_t, CompileResult> found;
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
  const std::string key = key_of(target, program);
  const CompileQueue::Asked asked = queue_.begin_now(key);
  if (asked.is_new)
    queue_.settle({key}, [&]() -> std::vector<CompiledProgram> {
      if (auto known = find_cached(key)) {
        ++cached_;
        return {*std::move(known)};
      }
      require_compiler(target, program);
      return compile_and_keep(process, target, {program}, {key});
    });
  return asked.result.get();
}

CompiledProgram Compiler::compile_one(const std::string& target, const Program& program) {
  if (Process* own = pool_.own_worker()) return compile_here(*own, target, program);
  return compile(target, {program}).front().get();
}

}  // namespace warpwright::worker
