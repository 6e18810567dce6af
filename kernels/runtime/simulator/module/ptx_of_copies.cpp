// What the simulator makes of inline PTX for asynchronous copies and barriers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string_view>
#include <vector>

#include "kernels/runtime/simulator/module/ptx_models.hpp"

namespace warpwright::simulator {
namespace {

bool is_in_shared_memory(const std::string& opcode) {
  return opcode.find(".shared") != std::string::npos;
}

/// A pointer to a barrier in shared memory of the own block, or of one of the cluster.
std::string barrier_of(const PtxInstruction& instruction, std::size_t argument, const PtxNames& names) {
  if (argument >= instruction.arguments.size()) return {};
  const std::string& place = instruction.arguments[argument];
  const std::string pointer =
      is_in_shared_memory(instruction.opcode) ? names.shared_pointer(place) : names.generic_pointer(place);
  return pointer.empty() ? "" : fmt::format("(::warpwright::phase_barrier*){}", pointer);
}

/// A copy of cp.async; with a fourth argument, of so many bytes and zeros behind them.
std::optional<std::string> piece(const PtxInstruction& instruction, const PtxNames& names) {
  const auto& arguments = instruction.arguments;
  if (arguments.size() != 3 && arguments.size() != 4) return std::nullopt;
  const std::string to = names.shared_pointer(arguments[0]), from = names.generic_pointer(arguments[1]),
                    bytes = names.value(arguments[2]);
  if (to.empty() || from.empty() || bytes.empty()) return std::nullopt;
  if (arguments.size() == 3) return fmt::format("::warpwright::async_copy<{}>({}, (const void*){});", bytes, to, from);
  const std::string used = names.value(arguments[3]);
  if (used.empty()) return std::nullopt;
  return fmt::format("::warpwright::simulator::async_copy_with_zeros<{}>({}, (const void*){}, {});", bytes, to, from,
                     used);
}

/// "[map, {column, row}]": a tensor map and the place of a box, as two arguments of a call. Empty for something else,
/// or another number of dimensions.
std::string box_at(const std::string& argument, std::size_t dimensions, const PtxNames& names) {
  if (argument.size() < 2 || argument.front() != '[' || argument.back() != ']') return {};
  const auto parts = split_list(std::string_view(argument).substr(1, argument.size() - 2));
  if (parts.size() != 2 || names.value(parts[0]).empty()) return {};
  std::vector<std::string> first;
  for (const std::string& one : names.values(parts[1])) first.push_back("(int)" + one);
  if (first.size() != dimensions) return {};
  return fmt::format("*(const ::warpwright::tensor_map*){}, {{{}}}", names.value(parts[0]), fmt::join(first, ", "));
}

/// A bulk copy to shared memory: of bytes, or of a box of a tensor map; for the own block, or for several of a cluster.
std::optional<std::string> bulk(PtxInstruction instruction, const PtxNames& names) {
  static const std::regex of_bytes(
      R"(cp\.async\.bulk\.shared::(cluster|cta)\.(global|shared::cta)\.mbarrier::complete_tx::bytes(\.multicast::cluster)?)");
  static const std::regex of_box(
      R"(cp\.async\.bulk\.tensor\.([1-5])d\.shared::(cluster|cta)\.global(\.tile)?\.mbarrier::complete_tx::bytes(\.multicast::cluster)?)");
  constexpr std::string_view hint = ".L2::cache_hint";  // its policy comes last
  auto& [guard, opcode, arguments] = instruction;
  if (opcode.ends_with(hint) && !arguments.empty()) {
    opcode.resize(opcode.size() - hint.size());
    arguments.pop_back();
  }
  std::smatch is;
  const bool is_of_bytes = std::regex_match(opcode, is, of_bytes);
  if (!is_of_bytes && !std::regex_match(opcode, is, of_box)) return std::nullopt;
  const bool for_several = is[is_of_bytes ? 3 : 4].matched;
  if (arguments.size() != std::size_t{is_of_bytes ? 4U : 3U} + (for_several ? 1 : 0)) return std::nullopt;
  const std::string to = names.shared_pointer(arguments[0]),
                    barrier = barrier_of(instruction, is_of_bytes ? 3 : 2, names),
                    blocks = for_several ? names.value(arguments.back()) : "0";
  std::string what;
  if (is_of_bytes) {
    const std::string from =
                          is[2] == "global" ? names.generic_pointer(arguments[1]) : names.shared_pointer(arguments[1]),
                      bytes = names.value(arguments[2]);
    if (!from.empty() && !bytes.empty()) what = fmt::format("(const void*){}, {}", from, bytes);
  } else {
    what = box_at(arguments[1], static_cast<std::size_t>(is[1].str()[0] - '0'), names);
  }
  if (to.empty() || barrier.empty() || blocks.empty() || what.empty()) return std::nullopt;
  const std::string function = for_several   ? is_of_bytes ? "simulator::multicast" : "simulator::multicast_box"
                               : is_of_bytes ? "bulk_copy"
                                             : "bulk_copy_box";
  return fmt::format("::warpwright::{}({}, {}, {}{});", function, to, what, barrier,
                     for_several ? ", (unsigned)" + blocks : "");
}

/// A store to shared memory of the cluster that counts for a barrier there.
std::optional<std::string> async_store(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::map<std::string, std::string> types = {
      {"b32", "unsigned"},           {"u32", "unsigned"},           {"s32", "int"},       {"f32", "float"},
      {"b64", "unsigned long long"}, {"u64", "unsigned long long"}, {"s64", "long long"}, {"f64", "double"}};
  static const std::regex form(
      R"(st\.async(\.weak)?\.shared::cluster\.mbarrier::complete_tx::bytes(\.v([24]))?\.([busf](32|64)))");
  const auto& [guard, opcode, arguments] = instruction;
  std::smatch is;
  if (!std::regex_match(opcode, is, form) || arguments.size() != 3) return std::nullopt;
  const std::string& type = types.at(is[4].str());
  std::vector<std::string> values;
  for (const std::string& one : names.values(arguments[1])) values.push_back(fmt::format("({}){}", type, one));
  const std::string to = names.shared_pointer(arguments[0]), barrier = barrier_of(instruction, 2, names);
  const std::size_t count = is[2].matched ? static_cast<std::size_t>(is[3].str()[0] - '0') : 1;
  if (to.empty() || barrier.empty() || values.size() != count) return std::nullopt;
  return fmt::format("::warpwright::simulator::store_async<{}>({}, {{{}}}, {});", type, to, fmt::join(values, ", "),
                     barrier);
}

/// A bulk copy to global memory that combines elements.
std::optional<std::string> bulk_reduction(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex form(
      R"(cp\.reduce\.async\.bulk\.global\.shared::cta\.bulk_group(\.L2::cache_hint)?)"
      R"((?:\.(add)\.(u32|s32|u64|f32|f64)|\.(min|max)\.(u32|s32|u64|s64)|\.(inc|dec)\.(u32)|\.(and|or|xor)\.(b32|b64)))");
  static const std::map<std::string, std::string> operations = {
      {"add", "add"},       {"min", "min"},     {"max", "max"},   {"inc", "increment"},
      {"dec", "decrement"}, {"and", "bit_and"}, {"or", "bit_or"}, {"xor", "bit_xor"}};
  static const std::map<std::string, std::string> types = {
      {"u32", "unsigned"},  {"b32", "unsigned"}, {"s32", "int"},    {"u64", "unsigned long long"},
      {"s64", "long long"}, {"f32", "float"},    {"f64", "double"}, {"b64", "unsigned long long"}};
  const auto& [guard, opcode, arguments] = instruction;
  std::smatch is;
  if (!std::regex_match(opcode, is, form) || arguments.size() != (is[1].matched ? 4 : 3)) return std::nullopt;
  std::size_t group = 2;
  while (!is[group].matched) group += 2;
  const std::string to = names.generic_pointer(arguments[0]), from = names.shared_pointer(arguments[1]),
                    bytes = names.value(arguments[2]);
  if (to.empty() || from.empty() || bytes.empty()) return std::nullopt;
  const std::string& type = types.at(is[group + 1].str());
  return fmt::format("::warpwright::bulk_reduce<::warpwright::reduction::{}>(({}*){}, (const {}*){}, {});",
                     operations.at(is[group].str()), type, to, type, from, bytes);
}

/// A bulk copy from shared to global memory, and the groups of such copies.
std::optional<std::string> bulk_store(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex of_bytes(R"(cp\.async\.bulk\.global\.shared::cta\.bulk_group(\.L2::cache_hint)?)");
  static const std::regex of_box(
      R"(cp\.async\.bulk\.tensor\.([1-5])d\.global\.shared::cta(\.tile)?\.bulk_group(\.L2::cache_hint)?)");
  static const std::regex wait(R"(cp\.async\.bulk\.wait_group(\.read)?)");
  const auto& [guard, opcode, arguments] = instruction;
  std::smatch is;
  if (opcode == "cp.async.bulk.commit_group" && arguments.empty()) return "::warpwright::bulk_commit();";
  if (std::regex_match(opcode, is, wait) && arguments.size() == 1 && !names.value(arguments[0]).empty())
    return fmt::format("::warpwright::{}<{}>();", is[1].matched ? "bulk_wait_reads" : "bulk_wait",
                       names.value(arguments[0]));
  if (std::regex_match(opcode, is, of_bytes) && arguments.size() == (is[1].matched ? 4 : 3)) {
    const std::string to = names.generic_pointer(arguments[0]), from = names.shared_pointer(arguments[1]),
                      bytes = names.value(arguments[2]);
    if (to.empty() || from.empty() || bytes.empty()) return std::nullopt;
    return fmt::format("::warpwright::bulk_store((void*){}, {}, {});", to, from, bytes);
  }
  if (auto made = bulk_reduction(instruction, names)) return made;
  if (!std::regex_match(opcode, is, of_box) || arguments.size() != (is[3].matched ? 3 : 2)) return std::nullopt;
  const std::string from = names.shared_pointer(arguments[1]),
                    box = box_at(arguments[0], static_cast<std::size_t>(is[1].str()[0] - '0'), names);
  if (from.empty() || box.empty()) return std::nullopt;
  return fmt::format("::warpwright::bulk_store_box({}, {});", box, from);
}

/// mbarrier.
std::optional<std::string> phase(const PtxInstruction& instruction, const PtxNames& names) {
  constexpr const char* where = R"((\.(release|relaxed|acquire))?(\.(cta|cluster))?(\.shared(::cta)?)?\.b64)";
  static const std::regex init(std::string(R"(mbarrier\.init)") + where),
      inval(std::string(R"(mbarrier\.inval)") + where),
      arrive(std::string(R"(mbarrier\.arrive(\.expect_tx)?)") + where),
      expect(std::string(R"(mbarrier\.expect_tx)") + where),
      wait(std::string(R"(mbarrier\.(try|test)_wait(\.parity)?)") + where);
  const std::string& opcode = instruction.opcode;
  const auto& arguments = instruction.arguments;
  const auto value = [&](std::size_t i) { return i < arguments.size() ? names.value(arguments[i]) : std::string(); };
  std::smatch is;
  if (std::regex_match(opcode, inval)) return ";";
  if (std::regex_match(opcode, init) || std::regex_match(opcode, expect)) {
    const std::string barrier = barrier_of(instruction, 0, names);
    if (barrier.empty() || value(1).empty()) return std::nullopt;
    return fmt::format("::warpwright::{}({}, {});", opcode.starts_with("mbarrier.init") ? "phase_init" : "phase_expect",
                       barrier, value(1));
  }
  if (std::regex_match(opcode, is, arrive) && !arguments.empty()) {
    const std::string state = arguments[0] == "_" ? "" : names.place(arguments[0]);
    const std::string barrier = barrier_of(instruction, 1, names);
    const bool expects = is[1].matched;
    if (barrier.empty() || (state.empty() && arguments[0] != "_") || (arguments.size() > 2 && value(2).empty()) ||
        (expects && arguments.size() != 3))
      return std::nullopt;
    const std::string arrivals = expects || arguments.size() < 3 ? "1" : value(2);
    return fmt::format("{}::warpwright::simulator::arrive({}, {}, {});", state.empty() ? "" : state + " = ", barrier,
                       arrivals, expects ? value(2) : "0");
  }
  if (std::regex_match(opcode, is, wait) && arguments.size() >= 3) {
    const std::string done = names.place(arguments[0]), barrier = barrier_of(instruction, 1, names);
    if (done.empty() || barrier.empty() || value(2).empty()) return std::nullopt;
    return fmt::format("{} = ::warpwright::phase_done({}, (unsigned){});", done, barrier, value(2));
  }
  return std::nullopt;
}

/// The barrier of a cluster, and places in shared memory of its blocks.
std::optional<std::string> of_cluster(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex arrive(R"(barrier\.cluster\.arrive(\.release|\.relaxed)?(\.aligned)?)"),
      wait(R"(barrier\.cluster\.wait(\.acquire)?(\.aligned)?)"), map(R"(mapa(\.shared::cluster)?\.u(32|64))");
  const auto& [guard, opcode, arguments] = instruction;
  std::smatch is;
  if (std::regex_match(opcode, is, arrive))
    return fmt::format("::warpwright::simulator::arrive_at_cluster({});", is[1] != ".relaxed");
  if (std::regex_match(opcode, wait)) return "::warpwright::simulator::wait_for_cluster();";
  if (!std::regex_match(opcode, is, map) || arguments.size() != 3) return std::nullopt;
  const std::string to = names.place(arguments[0]), from = names.place(arguments[1]), rank = names.value(arguments[2]);
  if (to.empty() || from.empty() || rank.empty() || is[1].matched != (is[2] == "32")) return std::nullopt;
  if (is[1].matched) return fmt::format("{} = ::warpwright::simulator::mapped_address({}, {});", to, from, rank);
  return fmt::format("{0} = (decltype({0} + 0))::warpwright::simulator::mapped_pointer((unsigned long long){1}, {2});",
                     to, from, rank);
}

}  // namespace

std::optional<std::string> model_of_copy(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex form(R"(cp\.async\.c[ag]\.shared(?:::cta)?\.global(?:\.L2::\d+B|\.L2::cache_hint)*)");
  const auto& [guard, opcode, arguments] = instruction;
  if (opcode == "cp.async.commit_group") return "::warpwright::async_commit();";
  if (opcode == "cp.async.wait_all") return "::warpwright::async_commit(); ::warpwright::async_wait<0>();";
  if (opcode == "cp.async.wait_group" && arguments.size() == 1 && !names.value(arguments[0]).empty())
    return fmt::format("::warpwright::async_wait<{}>();", names.value(arguments[0]));
  static const std::regex counted(R"(cp\.async\.mbarrier\.arrive\.noinc(\.shared(::cta)?)?\.b64)");
  if (std::regex_match(opcode, counted)) {
    const std::string barrier = barrier_of(instruction, 0, names);
    return barrier.empty() ? std::nullopt
                           : std::optional(fmt::format("::warpwright::phase_arrive_copied({});", barrier));
  }
  if (opcode == "prefetch.tensormap" || opcode.starts_with("prefetch.global")) return ";";
  if (std::regex_match(opcode, form)) {
    PtxInstruction plain = instruction;
    // The policy of the cache comes last.
    if (opcode.ends_with("cache_hint") && !plain.arguments.empty()) plain.arguments.pop_back();
    return piece(plain, names);
  }
  // Into the L2 cache.
  if (opcode.starts_with("cp.async.bulk.prefetch.")) return ";";
  for (const auto model : {bulk_store, async_store})
    if (auto made = model(instruction, names)) return made;
  return bulk(instruction, names);
}

std::optional<std::string> model_of_barrier(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex of_block(R"(bar(rier)?(\.cta)?\.(sync|arrive)(\.aligned)?)");
  static const std::regex fence(R"(fence\.(sc|acq_rel)\.(cta|cluster|gpu|sys)|membar\.(cta|gl|sys))");
  const std::string& opcode = instruction.opcode;
  const auto& arguments = instruction.arguments;
  const auto value = [&](std::size_t i) { return i < arguments.size() ? names.value(arguments[i]) : std::string(); };
  std::smatch is;
  if (std::regex_match(opcode, is, of_block) && !value(0).empty() && (arguments.size() == 1 || !value(1).empty())) {
    const bool waits = is[3] == "sync";
    const bool is_aligned = !is[1].matched || is[4].matched;
    if (!waits && arguments.size() == 1) return std::nullopt;
    return fmt::format("::warpwright::simulator::block_barrier({}, {}, {}, {});", value(0),
                       arguments.size() == 1 ? "0" : value(1), waits, is_aligned);
  }
  if (std::regex_match(opcode, is, fence))
    return fmt::format("::warpwright::simulator::fence_memory(::warpwright::simulator::Scope::{}, {});",
                       is[2] == "cta" || is[3] == "cta" ? "block" : "device", is[1] != "acq_rel");
  if (opcode == "bar.warp.sync" && !value(0).empty())
    return fmt::format("::warpwright::simulator::warp_barrier({});", value(0));
  if (opcode == "fence.proxy.async" || opcode.starts_with("fence.proxy.async.shared::"))
    return "::warpwright::fence_async();";
  if (opcode == "fence.mbarrier_init.release.cluster") return "::warpwright::simulator::fence_barriers();";
  if (opcode == "griddepcontrol.wait") return "::warpwright::simulator::wait_for_launch();";
  if (opcode == "griddepcontrol.launch_dependents") return ";";
  if (auto made = of_cluster(instruction, names)) return made;
  return phase(instruction, names);
}

}  // namespace warpwright::simulator
