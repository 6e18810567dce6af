// Constants of a source that may become params: const and constexpr integers at namespace scope, and unguarded macros.
#pragma once

#include <map>
#include <string>

#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// The initialisers of the constant integers in a declaration: {"kTile", "32"}.
std::map<std::string, std::string> constants_of(const Tokens& tokens, const Item& item);

/// The macros that a `#define` without a surrounding `#ifndef` of the same name sets, with its "FILE:LINE".
std::map<std::string, std::string> unguarded_macros(const Tokens& tokens);

/// Makes that macro the initialiser of the constant `name`, if the text has one. Line numbers do not change.
void initialise_by(std::string& text, const std::string& name, const std::string& macro);

}  // namespace warpwright::job
