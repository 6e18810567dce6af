// Which headers of CUDA's built-in functions device code needs: those that declare a name which it mentions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::simulator {

/// The patterns of names (as of a shell's file names) in the lines "// Declares: ..." of a header. If there are none,
/// only other headers include it.
std::vector<std::string> declared_names(std::string_view header);

/// Headers of CUDA's that device code may include, without angle brackets, and which of `sources` replaces each: the
/// one whose line "// Replaces: NAME ..." names it.
std::map<std::string, std::string> header_replacements(const std::map<std::string, std::string>& sources);

/// Those headers of built-ins in `sources` that declare a name which is mentioned in one of `files` (keys of `sources`)
/// or of `names` (C++ expressions). All of them if a file pastes names together. Names that the simulator's own headers
/// mention do not count.
std::vector<std::string> needed_built_ins(const std::map<std::string, std::string>& sources,
                                          const std::set<std::string>& files, const std::vector<std::string>& names);

/// The header that the compiler did not find according to its log, if one of `sources` includes it in angle brackets.
/// If there are other errors, the first one that a source has in a line `// Not found: <NAME>`. Else empty.
std::string missing_header(const std::map<std::string, std::string>& sources, const std::string& log);

}  // namespace warpwright::simulator
