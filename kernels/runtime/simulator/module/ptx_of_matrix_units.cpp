// What the simulator makes of inline PTX for matrix units.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <regex>

#include "kernels/runtime/simulator/module/ptx_models.hpp"

namespace warpwright::simulator {
namespace {

constexpr const char* element_types = "(f16|bf16|tf32|f64|s8|u8|e4m3|e5m2)";

std::string type_of(const std::string& ptx) {
  if (ptx == "f16") return "::warpwright::float16";
  if (ptx == "bf16") return "::warpwright::bfloat16";
  if (ptx == "tf32") return "::warpwright::tfloat32";
  if (ptx == "e4m3" || ptx == "e5m2") return "::warpwright::float8_" + ptx;
  if (ptx == "f32") return "float";
  if (ptx == "f64") return "double";
  if (ptx == "s8") return "signed char";
  return ptx == "u8" ? "unsigned char" : "int";
}

bool is_float8(const std::string& type) {
  return type == "e4m3" || type == "e5m2";
}

bool is_byte(const std::string& type) {
  return type == "s8" || type == "u8";
}

/// Whether mma.sync has such a product.
bool exists(int m, int n, int k, const std::string& a, const std::string& b, const std::string& sum) {
  if (n != 8 || (m != 8 && m != 16)) return false;
  if (sum == "s32") return is_byte(a) && is_byte(b) && (k == 16 || (m == 16 && k == 32));
  if (is_float8(a)) return is_float8(b) && m == 16 && (k == 16 || k == 32) && (sum == "f32" || sum == "f16");
  if (a != b) return false;
  if (a == "f64") return sum == "f64" && (k == 4 || (m == 16 && (k == 8 || k == 16)));
  if (m != 16 || (sum != "f32" && (sum != "f16" || a != "f16"))) return false;
  return a == "tf32" ? k == 4 || k == 8 : (a == "f16" || a == "bf16") && (k == 8 || k == 16);
}

int bits_of(const std::string& type) {
  if (type == "tf32") return 32;
  return is_float8(type) ? 8 : std::atoi(type.c_str() + type.find_first_of("0123456789"));
}

/// Registers of a lane for that many elements of a warp.
std::size_t registers_for(int elements, const std::string& type) {
  return static_cast<std::size_t>(elements / 32 * bits_of(type) / (type == "f64" ? 64 : 32));
}

std::string assignments(const std::vector<std::string>& to, const std::string& from) {
  std::string text;
  for (std::size_t i = 0; i < to.size(); ++i) text += fmt::format(" {} = {}[{}];", to[i], from, i);
  return text;
}

}  // namespace

std::optional<std::string> model_of_product(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex form(fmt::format(
      R"(mma\.sync\.aligned\.m(\d+)n(\d+)k(\d+)\.row\.col\.(satfinite\.)?(f16|f32|f64|s32)\.{0}\.{0}\.(f16|f32|f64|s32))",
      element_types));
  std::smatch is;
  if (!std::regex_match(instruction.opcode, is, form) || is[5] != is[8] || instruction.arguments.size() != 4)
    return std::nullopt;
  const auto to = names.values(instruction.arguments[0]), a = names.values(instruction.arguments[1]),
             b = names.values(instruction.arguments[2]), from = names.values(instruction.arguments[3]);
  const int m = std::stoi(is[1]), n = std::stoi(is[2]), k = std::stoi(is[3]);
  const bool saturates = is[4].matched;
  if (!exists(m, n, k, is[6], is[7], is[5]) || (saturates && is[5] != "s32") ||
      to.size() != registers_for(m * n, is[5]) || from.size() != to.size() || a.size() != registers_for(m * k, is[6]) ||
      b.size() != registers_for(n * k, is[7]))
    return std::nullopt;
  const std::string sum = type_of(is[5]), left = type_of(is[6]), right = type_of(is[7]);
  return fmt::format(
      "::warpwright::simulator::fragment<{5}, {8}> warpwright_d({9}); "
      "const ::warpwright::simulator::fragment<{3}, {6}> warpwright_a({10}); "
      "const ::warpwright::simulator::fragment<{4}, {7}> warpwright_b({11}); "
      "::warpwright::multiply_add{12}<{0}, {1}, {2}, {3}, {4}{13}>(warpwright_d.of, warpwright_a.of, "
      "warpwright_b.of);{14}",
      m, n, k, left, right, sum, a.size(), b.size(), to.size(), fmt::join(from, ", "), fmt::join(a, ", "),
      fmt::join(b, ", "), saturates ? "_saturated" : "", saturates ? "" : ", " + sum,
      assignments(to, "warpwright_d.of"));
}

std::optional<std::string> model_of_warpgroup(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex form(fmt::format(
      R"(wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)\.(f16|f32|s32)\.{0}\.{0}(\.satfinite)?)", element_types));
  static const std::regex registers(R"(setmaxnreg\.(inc|dec)\.sync\.aligned\.u32)");
  const auto& [guard, opcode, arguments] = instruction;
  std::smatch is;
  if (opcode == "wgmma.fence.sync.aligned") return "::warpwright::products_fence();";
  if (opcode == "wgmma.commit_group.sync.aligned") return "::warpwright::products_commit();";
  if (opcode == "wgmma.wait_group.sync.aligned" && arguments.size() == 1 && !names.value(arguments[0]).empty())
    return fmt::format("::warpwright::products_wait<{}>();", names.value(arguments[0]));
  if (std::regex_match(opcode, is, registers) && arguments.size() == 1 && !names.value(arguments[0]).empty())
    return fmt::format("::warpwright::{}<{}>();", is[1] == "inc" ? "take_registers" : "give_registers_back",
                       names.value(arguments[0]));
  if (!std::regex_match(opcode, is, form) || arguments.size() < 4) return std::nullopt;
  const int n = std::stoi(is[1]), k = std::stoi(is[2]);
  const std::string sum = is[3], left = is[4], right = is[5];
  const auto d = names.values(arguments[0]), a = names.values(arguments[1]);
  const bool in_registers = arguments[1].starts_with("{");
  const std::string b = names.value(arguments[2]), adds = names.value(arguments[3]);
  // Behind them: the signs of A and B, then whether they are transposed, as far as the types allow it.
  const bool has_signs = sum != "s32", of_halves = left == "f16" || left == "bf16";
  const std::size_t flags = has_signs ? of_halves ? in_registers ? 3 : 4 : 2 : 0;
  if (b.empty() || adds.empty() || k * bits_of(left) != 256 || arguments.size() != 4 + flags ||
      d.size() != static_cast<std::size_t>(n * bits_of(sum) / 64) || a.size() != (in_registers ? 4U : 1U))
    return std::nullopt;
  std::vector<std::string> of;
  for (std::size_t i = 4; i < arguments.size(); ++i) {
    of.push_back(names.value(arguments[i]));
    if (of.back().empty()) return std::nullopt;
  }
  const auto flag = [&](std::size_t i, const std::string& is_set) {
    return i < of.size() ? of[i] + is_set : std::string("false");
  };
  std::vector<std::string> places, registers_of_a;
  for (const std::string& one : d) places.push_back("&" + one);
  if (in_registers)
    for (const std::string& one : a)
      registers_of_a.push_back(fmt::format("::warpwright::simulator::register_at({})", one));
  return fmt::format(
      "void* const warpwright_d[] = {{{0}}}; {1}"
      "::warpwright::simulator::start_product<{2}, {3}, {4}, {5}, {6}>({{.sums = warpwright_d, .of_a = {7}, "
      ".a = {8}, .b = {9}, .adds = static_cast<bool>({10}), .a_is_negated = {11}, .b_is_negated = {12}, "
      ".a_is_transposed = {13}, .b_is_transposed = {14}}});",
      fmt::join(places, ", "),
      in_registers ? fmt::format("const ::warpwright::simulator::RegisterAt warpwright_a[] = {{{}}}; ",
                                 fmt::join(registers_of_a, ", "))
                   : "",
      n, type_of(left), type_of(right), type_of(sum), is[6].matched, in_registers ? "warpwright_a" : "nullptr",
      in_registers ? "0" : a[0], b, adds, flag(0, " < 0"), flag(1, " < 0"), in_registers ? "false" : flag(2, " != 0"),
      flag(in_registers ? 2 : 3, " != 0"));
}

std::optional<std::string> model_of_matrix_rows(const PtxInstruction& instruction, const PtxNames& names) {
  static const std::regex form(
      R"((ld|st)matrix\.sync\.aligned\.(?:m8n8\.x([124])|x([124])\.m8n8)(\.trans)?\.shared(?:::cta)?\.b16)");
  static const std::regex rounding(R"(cvt\.rna\.tf32\.f32)");
  std::smatch is;
  const auto& [guard, opcode, arguments] = instruction;
  if (opcode == "cvt.rna.tf32.f32" && arguments.size() == 2) {
    const std::string to = names.place(arguments[0]), from = names.value(arguments[1]);
    if (to.empty() || from.empty()) return std::nullopt;
    return fmt::format("{} = ::warpwright::to_tfloat32({});", to, from);
  }
  if (!std::regex_match(opcode, is, form) || arguments.size() != 2) return std::nullopt;
  const bool loads = is[1] == "ld";
  const auto registers = names.values(arguments[loads ? 0 : 1]);
  const std::string row = names.shared_pointer(arguments[loads ? 1 : 0]);
  const std::string count = is[2].matched ? is[2] : is[3];
  if (row.empty() || std::to_string(registers.size()) != count) return std::nullopt;
  const char* const suffix = is[4].matched ? "_transposed" : "";
  if (loads)
    return fmt::format("unsigned warpwright_d[{}]; ::warpwright::load_matrices{}(warpwright_d, {});{}", count, suffix,
                       row, assignments(registers, "warpwright_d"));
  return fmt::format(
      "const unsigned warpwright_d[] = {{(unsigned){}}}; ::warpwright::store_matrices{}({}, warpwright_d);",
      fmt::join(registers, ", (unsigned)"), suffix, row);
}

}  // namespace warpwright::simulator
