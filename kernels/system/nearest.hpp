// The known word that somebody meant who mistyped it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::program {

// The one of `known` that is most like `word`: a letter in three or fewer is another, missing, too many or in its
// neighbour's place, or it begins with the word. Empty where none is like it.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// "there is no PATTERN 'redcue'; did you mean reduce?", or, where nothing is like it, "...; there are: a, b".
std::string unknown(std::string_view what, std::string_view word, const std::vector<std::string>& known);

}  // namespace warpwright::program
