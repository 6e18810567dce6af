// What a compiled kernel takes, and whether the launches of a plan pass just that.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright {

/// Most bytes that the arguments of one launch may take together.
inline constexpr std::size_t kMaxArgumentBytes = 4096;

/// What a BufferArgument's `as` begins with where the parameter is a pointer to what is not const, though the buffer is
/// `in`: text that is not ours need not spell const. That nothing is stored there is checked after every run.
inline constexpr std::string_view kMutable = "mutable ";

/// The parameters of a compiled kernel. What is not known is absent.
struct Signature {
  std::optional<std::vector<std::string>> types = {};  ///< each as normal_type gives it
  std::optional<std::vector<std::size_t>> bytes = {};
};

/// One spelling for each type: "unsigned int const*" for "const unsigned *", "long long" for "long long int",
/// "ns::box<float, 3>" for "::ns::box<float,3u>". The executor's own types of CUDA's have CUDA's names.
std::string normal_type(std::string_view type);

/// The parameters of the function with this mangled name; nothing for a name that says nothing about them.
std::optional<std::vector<std::string>> parameters_of(const std::string& symbol);

/// The same for the mangled type of a function, as typeid gives it.
std::optional<std::vector<std::string>> parameters_of_type(const std::string& mangled);

/// The signature of an entry or host function; null for an entry of which nothing is known.
using SignatureOf = std::function<const Signature*(const std::string& entry)>;

/// Empty where the plan has no fault and every launch and host step passes what its function takes: as many arguments;
/// for a buffer a pointer to its type, to const for an `in` buffer (to any struct or vector type for scratch of
/// unsigned char); values of the parameter's type and size; int for the number of an iteration. Else the first that
/// does not, in words: "argument 3 of ENTRY is int, the plan passes long long".
std::string argument_mismatch(const Plan& plan, const SignatureOf& signature_of);

}  // namespace warpwright
