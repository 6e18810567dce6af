// The declarations of a text of CUDA C++ at namespace scope, as far as it takes to tell device code from the host's.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

enum class ItemKind {
  function,       ///< declared or defined
  type,           ///< struct, class, union, enum, typedef, using NAME = ...
  variable,       ///< of any kind
  directive,      ///< using namespace ..., using a::b, namespace a = b
  instantiation,  ///< explicit: template void f<int>(...)
  macro_call,     ///< of a macro that the text defines
  other,          ///< static_assert and the like
};

/// One declaration: tokens [first, last), the last one being its ';' or '}'.
struct Item {
  ItemKind kind = ItemKind::other;
  std::size_t first = 0, last = 0;
  std::vector<std::string> names = {};  ///< what it declares, without scopes
  std::string scope = {};               ///< "outer::inner::", empty at the top
  bool is_global = false, is_device = false, is_constant = false, is_shared = false;
  bool is_constexpr = false, is_const = false, is_definition = false, is_operator = false;
  std::size_t parameters = 0;                         ///< of a function: its '('
  std::size_t template_first = 0, template_last = 0;  ///< tokens within the brackets of the last `template <...>`
};

/// A macro of the text. What is defined more than once is one macro, with all bodies.
struct Macro {
  std::vector<std::string> bodies = {};
  bool takes_arguments = false;
};

struct Items {
  std::vector<Item> items;  ///< in order
  std::map<std::string, Macro> macros;
  std::vector<bool> dead;       ///< by token: within #if 0
  std::vector<bool> passed_by;  ///< by token: in a branch that is not compiled as the text stands
};

/// Throws std::runtime_error with file:line where brackets do not match.
Items items_of(const Tokens& tokens);

}  // namespace warpwright::job
