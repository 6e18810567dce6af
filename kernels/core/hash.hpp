// Content hashes, used as names of cached files and as keys of configurations.
#pragma once

#include <string>
#include <string_view>

namespace warpwright {

/// 128-bit XXH3 of the bytes, as 32 hexadecimal digits.
std::string hash_text(std::string_view bytes);

}  // namespace warpwright
