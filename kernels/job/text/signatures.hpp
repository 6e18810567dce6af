// What kernels take.
#pragma once

#include <string>
#include <vector>

#include "kernels/job/text/device_text.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Of an item that is a __global__ function.
GlobalFunction signature_of(const Tokens& tokens, const Item& item);

/// The members of an item that is a struct of values alone: without functions, bases, arrays or pointers; none for
/// another item.
std::vector<Parameter> members_of(const Tokens& tokens, const Item& item);

/// What the item calls a type that has another name: the words of `typedef float real;` or `using real = float;`.
/// Empty for another item.
std::string aliased_type(const Tokens& tokens, const Item& item);

}  // namespace warpwright::job
