// The declarations at namespace scope in a CUDA C++ source, in enough detail to tell device code from host code.
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
  macro_call,     ///< of a macro in this source
  other,          ///< static_assert and similar
};

/// One declaration: tokens [first, last). The last token is its ';' or '}'.
struct Item {
  ItemKind kind = ItemKind::other;
  std::size_t first = 0, last = 0;
  std::vector<std::string> names = {};  ///< the names that it declares, without scopes
  std::string scope = {};               ///< "outer::inner::", empty at file scope
  bool is_global = false, is_device = false, is_constant = false, is_shared = false;
  bool is_constexpr = false, is_const = false, is_definition = false, is_operator = false;
  std::size_t parameters = 0;                         ///< of a function: the position of its '('
  std::size_t template_first = 0, template_last = 0;  ///< tokens in the brackets of the last `template <...>`
};

/// A macro in the source. If it is defined more than once, it has several bodies.
struct Macro {
  std::vector<std::string> bodies = {};
  bool takes_arguments = false;
};

struct Items {
  std::vector<Item> items;  ///< in order
  std::map<std::string, Macro> macros;
  std::vector<bool> dead;       ///< for each token: whether it is within #if 0
  std::vector<bool> passed_by;  ///< for each token: whether it is in a branch that is not compiled
};

/// Throws std::runtime_error with file:line if brackets do not match.
Items items_of(const Tokens& tokens);

}  // namespace warpwright::job
