// Reads the parameters of kernels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// The signature of a declaration that is a __global__ function.
GlobalFunction signature_of(const Tokens& tokens, const Item& item);

/// The names of a function's template parameters: "N" for "int N".
std::vector<std::string> template_names(const GlobalFunction& function);

/// The members of a struct that has only data: no functions and no bases. None for any other declaration.
std::vector<Parameter> members_of(const Tokens& tokens, const Item& item);

/// The type in `typedef float real;` or `using real = float;`, as in the source. Empty for another declaration.
std::string aliased_type(const Tokens& tokens, const Item& item);

/// The types that names stand for: those of typedefs, `using` and macros.
std::map<std::string, std::string> aliases_of(const Tokens& tokens, const Items& found);

}  // namespace warpwright::job
