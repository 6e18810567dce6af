// Suggests a known word for a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::program {

// The word in `known` that is most similar to `word`: it begins with `word`, or differs by at most three letters that
// are wrong, missing, extra, or swapped with their neighbour. Empty if none is similar.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// "there is no PATTERN 'redcue'; did you mean reduce?", or, if none is similar, "...; there are: a, b".
std::string unknown(std::string_view what, std::string_view word, const std::vector<std::string>& known);

}  // namespace warpwright::program
