// Text of any kind, made safe for a page or for SVG.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwright::reports {

// Escapes text for any place in a page. Control characters and invalid UTF-8 become U+FFFD.
std::string escape(std::string_view text);

// Escapes a name; its lines may end after underscores.
std::string breakable(std::string_view name);

// At most `length` bytes, on one line, cut between characters; a cut is marked.
std::string shortened(std::string_view text, std::size_t length);

}  // namespace warpwright::reports
