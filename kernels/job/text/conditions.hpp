// Evaluates conditions of the preprocessor, as far as possible before anything is compiled.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// The value of the expression after #if, if only these macros and those of the compilers are defined. Empty if it
/// depends on a macro of the compilers, or cannot be parsed.
std::optional<long long> condition_value(const std::string& text, const std::map<std::string, std::string>& macros);

/// What a `#define` says.
struct Definition {
  std::string name, body;
  bool takes_arguments = false;
};
Definition definition_of(const Directive& line);

/// The conditions of the preprocessor around a place in a source, which is read directive by directive.
class Branches {
 public:
  void read(const Directive& line);
  bool is_dead() const;       ///< within #if 0
  bool is_passed_by() const;  ///< certainly not compiled, unless macros come from the command line

 private:
  struct Branch {
    bool is_dead = false, is_passed_by = false;
    bool is_taken = false;  ///< certainly, this branch or one before it
  };
  void enter(std::optional<long long> value);

  std::vector<Branch> branches_;
  std::map<std::string, std::string> defined_;
};

}  // namespace warpwright::job
