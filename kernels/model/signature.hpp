// The parameters of compiled kernels, and whether the launches of a plan pass matching arguments.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright {

/// The maximum size of all arguments of one launch together.
inline constexpr std::size_t kMaxArgumentBytes = 4096;

/// Prefix of a BufferArgument's `as` if the parameter is a pointer to non-const although the buffer is `in`: code of
/// users may omit const. A check after every run makes sure that nothing was stored there.
inline constexpr std::string_view kMutable = "mutable ";

/// The parameters of a compiled kernel. Unknown ones are absent.
struct Signature {
  std::optional<std::vector<std::string>> types = {};  ///< each in the form of normal_type
  std::optional<std::vector<std::size_t>> bytes = {};
};

/// One spelling for each type: "unsigned int const*" for "const unsigned *", "long long" for "long long int",
/// "ns::box<float, 3>" for "::ns::box<float,3u>". CUDA types of the simulator get CUDA's names.
std::string normal_type(std::string_view type);

/// The parameters of the function with this mangled name; empty if the name does not tell.
std::optional<std::vector<std::string>> parameters_of(const std::string& symbol);

/// The same for the mangled type of a function, as typeid gives it.
std::optional<std::vector<std::string>> parameters_of_type(const std::string& mangled);

/// The signature of an entry or host function; null if nothing is known about it.
using SignatureOf = std::function<const Signature*(const std::string& entry)>;

/// Empty if the plan has no fault and every launch and host step passes what its function takes: the right number of
/// arguments; for a buffer a pointer to its type, to const for an `in` buffer (scratch of unsigned char: to any struct
/// or vector type); values of the parameter's type and size; an int for the index of an iteration. Otherwise describes
/// the first mismatch: "argument 3 of ENTRY is int, the plan passes long long".
std::string argument_mismatch(const Plan& plan, const SignatureOf& signature_of);

}  // namespace warpwright
