// Which headers of CUDA's built-in functions device code needs: those that offer a name it mentions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::simulator {

/// The folder of headers that are included where they are needed, as includes are written.

/// The patterns of names (as of a shell's file names) in the lines "// Offers: ..." of a header; none: it is only
/// included by others.
std::vector<std::string> offers_of(std::string_view header);

/// Headers of CUDA's that device code may include, without angle brackets, and which of `sources` is what they are
/// here: the one with a line "// Stands for: NAME ..." of that name.
std::map<std::string, std::string> stand_ins_among(const std::map<std::string, std::string>& sources);

/// The headers of the built-ins among `sources` that offer a name which one of `files`, keys of `sources`, or one of
/// `names`, C++ expressions, mentions; all of them where a file pastes names together. What the simulator's own headers
/// mention does not count.
std::vector<std::string> needed_built_ins(const std::map<std::string, std::string>& sources,
                                          const std::set<std::string>& files, const std::vector<std::string>& names);

}  // namespace warpwright::simulator
