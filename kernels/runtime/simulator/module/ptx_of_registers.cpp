// What the simulator makes of inline PTX that moves and compares registers, and the names in it.
#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "kernels/runtime/simulator/module/ptx_models.hpp"

namespace warpwright::simulator {
namespace {

/// What a value of a PTX type is in C++; empty if there is no such type here.
std::string type_of(const std::string& ptx) {
  static const std::map<std::string, std::string> types = {{"pred", "bool"},
                                                           {"b16", "unsigned short"},
                                                           {"u16", "unsigned short"},
                                                           {"b32", "unsigned"},
                                                           {"u32", "unsigned"},
                                                           {"s32", "int"},
                                                           {"b64", "unsigned long long"},
                                                           {"u64", "unsigned long long"},
                                                           {"s64", "long long"},
                                                           {"f32", "float"},
                                                           {"f64", "double"}};
  const auto found = types.find(ptx);
  return found == types.end() ? "" : found->second;
}

std::string comparison_of(const std::string& name) {
  static const std::map<std::string, std::string> signs = {{"eq", "=="}, {"ne", "!="}, {"lt", "<"},
                                                           {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
  const auto found = signs.find(name);
  return found == signs.end() ? "" : found->second;
}

/// Instructions that approximate, and those on bits.
std::optional<std::string> model_of_arithmetic(const std::string& opcode, const std::string& to,
                                               const std::vector<std::string>& values) {
  static const std::regex approximation(R"((rcp|rsqrt)\.approx(\.ftz)?\.(f32|f64))"),
      logic(R"((and|or|xor)\.b(32|64))"), inversion(R"(not\.b(32|64))");
  static const std::map<std::string, std::string> signs = {{"and", "&"}, {"or", "|"}, {"xor", "^"}};
  std::smatch is;
  if (std::regex_match(opcode, is, approximation) && values.size() == 2)
    return fmt::format("{} = ::warpwright::simulator::{}<{}>(static_cast<{}>({}));", to,
                       is[1] == "rcp" ? "approximate_reciprocal" : "approximate_inverse_root", is[2].matched,
                       type_of(is[3]), values[1]);
  if (std::regex_match(opcode, is, logic) && values.size() == 3)
    return fmt::format("{} = ({}) {} ({});", to, values[1], signs.at(is[1]), values[2]);
  if (std::regex_match(opcode, inversion) && values.size() == 2) return fmt::format("{} = ~({});", to, values[1]);
  if (opcode == "vote.sync.ballot.b32" && values.size() == 3)
    return fmt::format("{} = ::warpwright::cuda::__ballot_sync({}, {});", to, values[2], values[1]);
  return std::nullopt;
}

}  // namespace

std::string PtxNames::declare(const std::string& name) {
  std::string known = "warpwright_";
  for (const char c : name) known += c == '%' || c == '$' || c == '=' ? 'x' : c;
  return declared_[name] = known;
}

std::string PtxNames::place(const std::string& argument) const {
  if (const auto found = declared_.find(argument); found != declared_.end()) return found->second;
  const std::string expression = statement_.expression(argument);
  return expression.empty() ? "" : "(" + expression + ")";
}

std::string PtxNames::value(const std::string& argument) const {
  static const std::regex number(R"(-?(0x[0-9a-fA-F]+|\d+)U?|-?\d+\.\d+)");
  if (std::regex_match(argument, number)) return argument;
  if (argument == "%%laneid") return "::warpwright::simulator::lane_of_thread()";
  if (argument == "%%cluster_ctarank") return "::warpwright::simulator::rank_in_cluster()";
  if (argument == "%%cluster_nctarank") return "::warpwright::simulator::blocks_of_cluster()";
  return place(argument);
}

std::vector<std::string> PtxNames::values(const std::string& list) const {
  const bool in_braces = list.size() > 1 && list.front() == '{' && list.back() == '}';
  std::vector<std::string> all = split_list(in_braces ? std::string_view(list).substr(1, list.size() - 2) : list);
  for (std::string& one : all) {
    one = value(one);
    if (one.empty()) return {};
  }
  return all;
}

std::string PtxNames::pointer(const std::string& argument, bool is_shared) const {
  static const std::regex form(R"(\[ ?([^\s+\]]+) ?(?:\+ ?([^\s+\]]+) ?)?\])");
  std::smatch is;
  if (!std::regex_match(argument, is, form)) return {};
  const std::string begin = place(is[1]), offset = is[2].matched ? value(is[2]) : "0";
  if (begin.empty() || offset.empty()) return {};
  const std::string address = is[2].matched ? fmt::format("{} + {}", begin, offset) : begin;
  if (is_shared) return fmt::format("::warpwright::simulator::in_shared_memory({})", address);
  return is[2].matched ? fmt::format("((unsigned long long){})", address) : begin;
}

std::optional<std::string> model_of_plain(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex set(R"(setp\.(\w+)\.([busf]\d+))"), select(R"(selp\.[busf]\d+)"),
      move(R"(mov\.([busf]\d+|pred))"), policy(R"(createpolicy\.fractional\.L2::\w+(\.L2::\w+)?\.b64)");
  const auto& [guard, opcode, arguments] = instruction;
  std::vector<std::string> values;
  for (const std::string& one : arguments) values.push_back(names.value(one));
  const std::string to = arguments.empty() ? "" : names.place(arguments[0]);
  const auto known = [&](std::size_t count) {
    return values.size() == count && !to.empty() && std::ranges::none_of(values, &std::string::empty);
  };
  if (known(values.size()))
    if (auto model = model_of_arithmetic(opcode, to, values)) return model;
  std::smatch is;
  if (std::regex_match(opcode, is, set) && known(3) && !comparison_of(is[1]).empty() && !type_of(is[2]).empty()) {
    const std::string type = type_of(is[2]);
    return fmt::format("{} = ({})({}) {} ({})({});", to, type, values[1], comparison_of(is[1]), type, values[2]);
  }
  if (std::regex_match(opcode, select) && known(4))
    return fmt::format("{} = {} ? {} : {};", to, values[3], values[1], values[2]);
  if (std::regex_match(opcode, is, move) && known(2)) return fmt::format("{} = {};", to, values[1]);
  if (opcode == "cvta.to.shared.u64" && known(2))
    return fmt::format("{} = __cvta_generic_to_shared((const void*){});", to, values[1]);
  if (opcode == "cvt.u32.u64" && known(2)) return fmt::format("{} = static_cast<unsigned>({});", to, values[1]);
  if (opcode == "elect.sync" && arguments.size() == 2) {
    // "lane|elected", one of which may be "_"
    const std::size_t bar = arguments[0].find('|');
    if (bar == std::string::npos || values[1].empty()) return std::nullopt;
    const std::string lane = names.place(arguments[0].substr(0, bar)),
                      elected = names.place(arguments[0].substr(bar + 1));
    const bool takes_lane = arguments[0].substr(0, bar) != "_";
    if (elected.empty() || (takes_lane && lane.empty())) return std::nullopt;
    return fmt::format(
        "const unsigned warpwright_elected = ::warpwright::simulator::elect({});{} {} = warpwright_elected "
        "== ::warpwright::simulator::lane_of_thread();",
        values[1], takes_lane ? " " + lane + " = warpwright_elected;" : "", elected);
  }
  if (std::regex_match(opcode, policy) && !to.empty()) return fmt::format("{} = 0;", to);
  static const std::regex access(R"((ld|st)\.shared(::cta|::cluster)?\.([busf]\d+))");
  if (std::regex_match(opcode, is, access) && arguments.size() == 2 && !type_of(is[3]).empty()) {
    const bool loads = is[1] == "ld";
    const std::string place = names.shared_pointer(arguments[loads ? 1 : 0]), type = type_of(is[3]);
    if (place.empty() || (loads ? to.empty() : values[1].empty())) return std::nullopt;
    return loads ? fmt::format("{} = *({}*){};", to, type, place)
                 : fmt::format("*({}*){} = {};", type, place, values[1]);
  }
  if (opcode == "nanosleep.u32" && values.size() == 1 && !values[0].empty()) return "::warpwright::simulator::sleep();";
  return std::nullopt;
}

}  // namespace warpwright::simulator
