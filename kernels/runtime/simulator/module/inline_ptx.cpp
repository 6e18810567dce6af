// Finds inline PTX in device code, and replaces what the simulator models by calls of its model.
#include "kernels/runtime/simulator/module/inline_ptx.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/simulator/module/debug_info.hpp"
#include "kernels/runtime/simulator/module/ptx_models.hpp"

namespace warpwright::simulator {
namespace {

/// ".pred p, q" or ".b32 x"
struct Declaration {
  std::string type;
  std::vector<std::string> names;
};

std::optional<Declaration> declaration_of(const PtxInstruction& instruction) {
  static const std::map<std::string, std::string> types = {
      {".pred", "bool"}, {".b32", "unsigned"},           {".u32", "unsigned"},
      {".s32", "int"},   {".b64", "unsigned long long"}, {".u64", "unsigned long long"},
      {".f32", "float"}};
  if (instruction.opcode != ".reg" || instruction.arguments.empty()) return std::nullopt;
  Declaration made{.type = {}, .names = instruction.arguments};
  const std::size_t end = made.names[0].find(' ');
  const auto type = types.find(made.names[0].substr(0, end));
  if (end == std::string::npos || type == types.end()) return std::nullopt;
  made.type = type->second;
  made.names[0].erase(0, made.names[0].find_first_not_of(' ', end));
  return made;
}

/// C++ that does what the statement does; empty if one of its instructions has no model.
std::optional<std::string> translated(const AsmStatement& statement) {
  PtxNames names(statement);
  std::string labels, registers, code;
  for (const PtxInstruction& one : statement.instructions)
    if (one.opcode.ends_with(':'))
      labels += fmt::format("__label__ {}; ", names.declare(one.opcode.substr(0, one.opcode.size() - 1)));
  for (const PtxInstruction& one : statement.instructions) {
    if (one.opcode.ends_with(':')) {
      code += fmt::format("{}:; ", names.place(one.opcode.substr(0, one.opcode.size() - 1)));
      continue;
    }
    if (const auto declared = declaration_of(one)) {
      for (const std::string& name : declared->names)
        registers += fmt::format("{} {}{{}}; ", declared->type, names.declare(name));
      continue;
    }
    std::optional<std::string> model;
    if ((one.opcode == "bra" || one.opcode == "bra.uni") && one.arguments.size() == 1 &&
        !names.place(one.arguments[0]).empty())
      model = fmt::format("goto {};", names.place(one.arguments[0]));
    for (const PtxModel known :
         {model_of_product, model_of_warpgroup, model_of_matrix_rows, model_of_copy, model_of_barrier, model_of_plain})
      if (!model) model = known(one, names);
    if (!model) return std::nullopt;
    if (one.guard.empty()) {
      code += statement.instructions.size() == 1 ? *model + " " : fmt::format("{{ {} }} ", *model);
      continue;
    }
    const bool negates = one.guard.starts_with('!');
    const std::string guard = names.place(one.guard.substr(negates ? 1 : 0));
    if (guard.empty()) return std::nullopt;
    code += fmt::format("if ({}{}) {{ {} }} ", negates ? "!" : "", guard, *model);
  }
  return fmt::format("do {{ {}{}{}}} while (0)", labels, registers, code);
}

/// The ends of lines in a part of the text, with their continuations.
std::string line_ends(std::string_view text) {
  std::string ends;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') ends += i > 0 && text[i - 1] == '\\' ? "\\\n" : "\n";
  return ends;
}

}  // namespace

std::string with_modelled_ptx(const std::string& text) {
  std::string result;
  std::size_t kept = 0;  // so much of the text is in the result
  for (TextReader at(text, 0); !at.is_over();) {
    const std::size_t begin = at.at();
    if (!at.is_in_a_word() || text.compare(begin, 2, "R\"") == 0) {
      at.skip_one();
      continue;
    }
    const std::string word = at.take_word();
    if (word != "asm" && word != "__asm__" && word != "__asm") continue;
    TextReader behind = at;
    const auto statement = asm_statement_at(behind);
    const auto call = statement ? translated(*statement) : std::nullopt;
    if (!call) continue;
    const std::string_view whole = std::string_view(text).substr(begin, behind.at() - begin);
    result += text.substr(kept, begin - kept) + *call + line_ends(whole);
    kept = behind.at();
    at = behind;
  }
  return result + text.substr(kept);
}

std::string original_path(const std::string& file, const std::string& text) {
  const bool is_changed = !file.starts_with("kernels/runtime/") && text.find("asm") != std::string::npos;
  return is_changed ? "original/" + file : file;
}

std::string source_texts(const std::map<std::string, std::string>& sources, const std::set<std::string>& files) {
  std::string text = fmt::format("__asm__(R\"(.pushsection {},\"\",@progbits\n", source_section);
  for (const std::string& file : files) {
    if (is_cpu_model(file)) continue;
    const auto source = sources.find(file);
    const std::string path = original_path(file, source == sources.end() ? "" : source->second);
    text += fmt::format(".asciz \"{}\"\n.incbin \"{}\"\n.byte 0\n", file, path);
  }
  return text + ".popsection)\");\n";
}

}  // namespace warpwright::simulator
