// Lets a module compute products and sums with one rounding, as a GPU's compiler does by default.
#include "kernels/runtime/simulator/module/contraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright::simulator {
namespace {

/// An instruction with up to two operands, as in "mulss 8(%rax,%rbx,4), %xmm0": the last one is changed.
struct Instruction {
  std::string_view name, first, last;
};

bool is_register(std::string_view operand) {
  return operand.starts_with("%xmm");
}

/// The instruction of a line of assembler text; none for labels and directives.
std::optional<Instruction> instruction_in(std::string_view line) {
  if (line.size() < 2 || line[0] != '\t' || line[1] == '.' || line[1] == '#') return std::nullopt;
  line.remove_prefix(1);
  const auto name = line.find('\t');
  if (name == std::string_view::npos) return Instruction{.name = line, .first = {}, .last = {}};
  const std::string_view operands = line.substr(name + 1);
  int depth = 0;
  std::size_t comma = 0;  // the last one between operands
  for (std::size_t i = 0; i < operands.size(); ++i) {
    depth += operands[i] == '(' ? 1 : operands[i] == ')' ? -1 : 0;
    if (operands[i] == ',' && depth == 0) comma = i;
  }
  if (comma == 0) return Instruction{.name = line.substr(0, name), .first = {}, .last = operands};
  return Instruction{
      .name = line.substr(0, name), .first = operands.substr(0, comma), .last = operands.substr(comma + 2)};
}

/// A name for the register or the slot of the stack that holds a value; empty for other operands.
std::string_view holder(std::string_view operand) {
  if (is_register(operand)) return operand;
  if (operand.ends_with("(%rbp)") || operand.ends_with("(%rsp)")) return operand;
  if (!operand.starts_with('%')) return {};
  operand.remove_prefix(1);
  // Both widths of a register have one name: of rax and eax "ax", of r12 and r12d "12".
  if (operand.size() > 1 && operand[0] == 'r' && operand[1] >= '0' && operand[1] <= '9')
    return operand.substr(1, operand.find_last_of("0123456789"));
  return operand.size() == 3 ? operand.substr(1) : operand;
}

bool copies(std::string_view name) {
  constexpr std::array moves{"movss", "movsd", "movaps", "movapd", "movd", "movq", "movl"};
  return std::ranges::find(moves, name) != moves.end();
}

/// Where a branch may lead, as opposed to labels for debuggers.
bool is_target(std::string_view line) {
  return !line.empty() && line[0] != '\t' && line.ends_with(':') &&
         (line[0] != '.' || (line.size() > 2 && line[2] <= '9'));
}

/// A multiplication, or a sum that uses its product.
struct Site {
  Instruction code;
  std::size_t line = 0;
  std::size_t product = 0;        ///< the number of the multiplication
  bool product_is_first = false;  ///< of a sum: the product is its first operand
};

/// Finds the sums of products in assembler text, line by line.
class SumsOfProducts {
 public:
  /// Sums and the multiplications that they use, by line.
  std::map<std::size_t, Site> found;

  void read(std::string_view line, std::size_t number) {
    if (line.starts_with("\t.file ")) return note_file(line.substr(7));
    if (line.starts_with("\t.loc ")) return note_place(line.substr(6));
    if (is_target(line)) return held_.clear();
    const auto code = instruction_in(line);
    if (!code) return;
    const std::string_view name = code->name;
    const bool is_float = name.ends_with("ss"), is_double = name.ends_with("sd");
    if ((is_float || is_double) && is_register(code->last)) {
      const std::string_view operation = name.substr(0, name.size() - 2);
      if (operation == "mul") return multiply(*code, number);
      if (operation == "add" || operation == "sub") return add(*code, number);
    }
    if (name == "call") return call();
    if (copies(name))
      copy(*code);
    else
      held_.erase(std::string(holder(code->last)));
  }

 private:
  void note_file(std::string_view directive) {
    const auto number = directive.substr(0, directive.find(' '));
    if (directive.find("kernels/runtime/") != std::string_view::npos) own_files_.insert(std::string(number));
  }
  void note_place(std::string_view directive) {
    is_own_ = own_files_.contains(std::string(directive.substr(0, directive.find(' '))));
  }
  void multiply(const Instruction& code, std::size_t line) {
    held_.erase(std::string(code.last));
    if (is_own_) return;
    products_.push_back({.code = code, .line = line});
    held_[std::string(code.last)] = products_.size() - 1;
  }
  void add(const Instruction& code, std::size_t line) {
    const auto product_in = [&](std::string_view operand) -> std::optional<std::size_t> {
      const auto product = held_.find(std::string(holder(operand)));
      if (product == held_.end()) return std::nullopt;
      // Both must be of one type.
      return products_[product->second].code.name.back() == code.name.back() ? std::optional(product->second)
                                                                             : std::nullopt;
    };
    const auto first = product_in(code.first), last = product_in(code.last);
    held_.erase(std::string(code.last));
    if (is_own_ || (!first && !last)) return;
    // Of two products, the earlier one.
    const bool is_first = first && (!last || *first < *last);
    const std::size_t product = is_first ? *first : *last;
    Site& multiplication = products_[product];
    multiplication.product = product;
    found.emplace(multiplication.line, multiplication);
    found.emplace(line, Site{.code = code, .line = line, .product = product, .product_is_first = is_first});
  }
  void copy(const Instruction& code) {
    const std::string to(holder(code.last));
    const auto from = held_.find(std::string(holder(code.first)));
    if (from != held_.end() && !to.empty())
      held_[to] = from->second;
    else
      held_.erase(to);
  }
  void call() {
    std::erase_if(held_, [](const auto& one) { return is_register(one.first); });
  }

  std::set<std::string> own_files_;  ///< the numbers of the files in kernels/runtime/
  bool is_own_ = false;
  std::vector<Site> products_;
  std::map<std::string, std::size_t> held_;  ///< which product a register or a slot of the stack holds
};

/// Three registers of vectors that the instruction does not use.
std::array<std::string, 3> free_registers(const Instruction& code) {
  std::array<std::string, 3> free;
  std::size_t count = 0;
  for (int i = 0; count < free.size(); ++i) {
    std::string name = fmt::format("%xmm{}", i);
    if (name != code.first && name != code.last) free[count++] = std::move(name);
  }
  return free;
}

/// The multiplication, which also keeps its operands and its product.
std::string keeping_multiplication(const Site& site) {
  const auto& [name, first, last] = site.code;
  const std::string_view type = name.substr(name.size() - 2);
  const std::string kept = fmt::format(".Lwarpwright_kept{}", site.product);
  std::string code = fmt::format("\tmov{0}\t{1}, {2}(%rip)\n", type, last, kept);
  if (is_register(first))
    code += fmt::format("\tmov{0}\t{1}, {2}+8(%rip)\n\t{3}\t{1}, {4}\n", type, first, kept, name, last);
  else
    code += fmt::format("\tmov{0}\t{1}, {2}\n\tmov{0}\t{2}, {3}+8(%rip)\n\t{4}\t{3}(%rip), {2}\n", type, first, last,
                        kept, name);
  return code + fmt::format("\tmov{0}\t{1}, {2}+16(%rip)\n", type, last, kept);
}

/// The sum, with the unrounded product in place of the rounded one if that is the product which was kept. Bits of the
/// sum that differ from those with two roundings are noted.
std::string contracted_sum(const Site& site) {
  const auto& [name, first, last] = site.code;
  const std::string_view type = name.substr(name.size() - 2);
  const std::string kept = fmt::format(".Lwarpwright_kept{}", site.product);
  const auto [mask, sum, spare] = free_registers(site.code);
  std::string code;
  for (std::size_t i = 0; const auto& used : {mask, sum, spare})
    code += fmt::format("\tmovups\t{}, .Lwarpwright_saved+{}(%rip)\n", used, 16 * i++);
  const std::string_view product = site.product_is_first ? first : last, other = site.product_is_first ? last : first;
  std::string_view product_in_memory = product;
  if (is_register(product)) {
    product_in_memory = ".Lwarpwright_product(%rip)";
    code += fmt::format("\tmov{}\t{}, {}\n", type, product, product_in_memory);
  }
  // A load sets the upper part of the register to zero.
  code += fmt::format("\tmov{0}\t{1}, {2}\n\tcmpeq{0}\t{3}+16(%rip), {2}\n", type, product_in_memory, mask, kept);
  std::string_view addend = other;
  if (!is_register(other)) {
    addend = spare;
    code += fmt::format("\tmov{}\t{}, {}\n", type, other, spare);
  }
  const bool subtracts = name.starts_with("sub");
  const std::string_view fused = !subtracts ? "vfmadd132" : site.product_is_first ? "vfnmadd132" : "vfmsub132";
  code += fmt::format("\tmov{0}\t{1}(%rip), {2}\n\t{3}{0}\t{1}+8(%rip), {4}, {2}\n", type, kept, sum, fused, addend);
  code += fmt::format("\t{0}\t{1}, {2}\n\txorps\t{2}, {3}\n\tandps\t{4}, {3}\n\txorps\t{3}, {2}\n", name, first, last,
                      sum, mask);
  code += fmt::format(
      "\tmovups\t.Lwarpwright_changed(%rip), {0}\n\torps\t{1}, {0}\n\tmovups\t{0}, "
      ".Lwarpwright_changed(%rip)\n",
      mask, sum);
  for (std::size_t i = 0; const auto& used : {mask, sum, spare})
    code += fmt::format("\tmovups\t.Lwarpwright_saved+{}(%rip), {}\n", 16 * i++, used);
  return code;
}

/// The line with room for a jump, the other code for it, and an entry of the table for both.
std::string with_other_code(std::string_view line, const Site& site) {
  constexpr int jump_bytes = 5;
  const std::size_t n = site.line;
  std::string text = fmt::format(
      ".Lwarpwright_begin{0}:\n{1}\n.Lwarpwright_end{0}:\n\t.fill\t-((({2}-(.Lwarpwright_end{0}-.Lwarpwright_begin{0}))"
      "> 0)*({2}-(.Lwarpwright_end{0}-.Lwarpwright_begin{0}))), 1, 0x90\n.Lwarpwright_next{0}:\n",
      n, line, jump_bytes);
  text += "\t.pushsection\t.text.warpwright_contracted,\"ax\",@progbits\n";
  text += fmt::format(".Lwarpwright_other{0}:\n{1}\tjmp\t.Lwarpwright_next{0}\n\t.popsection\n", n,
                      site.code.name.starts_with("mul") ? keeping_multiplication(site) : contracted_sum(site));
  return text + fmt::format(
                    "\t.pushsection\twarpwright_contractions,\"a\",@progbits\n\t.long\t.Lwarpwright_begin{0}-., "
                    ".Lwarpwright_other{0}-.\n\t.popsection\n",
                    n);
}

}  // namespace

std::string with_contractions(const std::string& assembly) {
  SumsOfProducts sums;
  const std::string_view text = assembly;
  const auto for_each_line = [text](auto use) {
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      use(text.substr(begin, end - begin), number);
      begin = end + 1;
    }
  };
  for_each_line([&](std::string_view line, std::size_t number) { sums.read(line, number); });
  if (sums.found.empty()) return assembly;
  std::string result =
      "\t.section\twarpwright_contractions,\"a\",@progbits\n\t.long\t.Lwarpwright_changed-., 0\n"
      "\t.section\t.bss.warpwright_contracted,\"aw\",@nobits\n\t.balign\t16\n"
      ".Lwarpwright_changed:\n\t.zero\t16\n.Lwarpwright_saved:\n\t.zero\t48\n.Lwarpwright_product:\n\t.zero\t16\n";
  for (const auto& [line, site] : sums.found)
    if (site.code.name.starts_with("mul")) result += fmt::format(".Lwarpwright_kept{}:\n\t.zero\t24\n", site.product);
  result += "\t.text\n";
  for_each_line([&](std::string_view line, std::size_t number) {
    const auto site = sums.found.find(number);
    if (site == sums.found.end())
      result.append(line).push_back('\n');
    else
      result += with_other_code(line, site->second);
  });
  return result;
}

}  // namespace warpwright::simulator
