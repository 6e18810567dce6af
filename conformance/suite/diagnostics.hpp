// What is wrong with a kernel as editors and CI systems take it: where, what, and how to see it again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "conformance/properties/property.hpp"

namespace warpwright::conformance {

/// A place in a file, which is named as it can be opened from the current folder.
struct Location {
  std::string file = {};
  int line = 1, column = 1;

  bool operator==(const Location&) const = default;
};

/// "FILE:LINE:COLUMN"
std::string text_of(const Location& at);

enum class Level { error, note };

struct Diagnostic {
  /// The second party of a race, of a barrier that threads do not share, or a copy that is under way.
  struct Other {
    Location at;
    std::string words;  ///< "the other access, by block (0, 0, 0), thread (1, 0, 0)"
  };

  Level level = Level::error;
  std::string kind = {};  ///< a few words: "race", "wrong value", "not modelled"
  Location at = {};
  std::string message = {};  ///< without a line end
  std::string by = {};       ///< the thread, the address and the kernel's instance; empty where they are not known
  std::optional<Other> other = {};
  std::vector<std::string> more = {};  ///< lines: what the compiler says, which older values were read
  std::string kernel = {};             ///< "reduce/tree"
  std::string repro = {};              ///< the command that shows it again; empty where there is none
  std::string about = {};              ///< what does not change from run to run: the buffer
};

/// The line at which the innermost loop begins that both places of the text are in.
std::optional<int> loop_around(const std::string& text, const Location& one, const Location& other);

/// "FILE:LINE:COLUMN: race: ..."
std::string headline(const Diagnostic& one);

/// The headline, then what else is known in indented lines, each with its line end. Lines have at most 100 columns,
/// but for words that are longer, and for what a compiler says.
std::string text_of(const Diagnostic& one);

/// What is wrong in that result of a case. Of what has no source line of its own the kernel's definition is named.
Diagnostic diagnostic_of(const Catalogue& catalogue, const Case& test, const CaseResult& result);

/// What is wrong with a kernel, or that it was not modelled, which is a note; nothing where it passed, or did not run.
std::optional<Diagnostic> diagnostic_of(const Catalogue& catalogue, const PropertyReport& report);

/// Takes kind, message, places and threads of what the simulator found.
void point_at(Diagnostic& one, const simulator::Finding& found);

/// Where the kernel's device function is defined; the beginning of its file where that is not found.
Location definition_of(const Catalogue& catalogue, const Kernel& kernel);

/// Where a __global__ function of that name (without scopes) is defined in a text.
std::optional<Location> definition_in(const std::string& file, const std::string& text, const std::string& function);

/// A kind of diagnostic, for lists of rules.
struct DiagnosticKind {
  std::string_view kind;
  std::string_view words;  ///< one sentence on what it is
  std::string_view help;   ///< what to do about it
};

/// All of them.
std::span<const DiagnosticKind> diagnostic_kinds();

/// "out-of-bounds": the kind as one word.
std::string rule_id(std::string_view kind);

}  // namespace warpwright::conformance
