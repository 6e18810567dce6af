// Diagnostics in the format that editors and CI systems read: what is wrong with a kernel, where, and how to reproduce
// it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/case_result.hpp"
#include "conformance/properties/property.hpp"

namespace warpwright::conformance {

/// A location in a file; the path can be opened from the current folder.
struct Location {
  std::string file = {};
  int line = 1, column = 1;

  bool operator==(const Location&) const = default;
};

/// "FILE:LINE:COLUMN"
std::string text_of(const Location& at);

enum class Level { error, note };

struct Diagnostic {
  /// The second party: of a race, of a divergent barrier, or a copy in progress.
  struct Other {
    Location at;
    std::string words;      ///< "the other access, by block (0, 0, 0), thread (1, 0, 0)"
    std::string code = {};  ///< the text of that line
  };

  Level level = Level::error;
  std::string kind = {};  ///< a few words: "race", "wrong value", "not modelled"
  Location at = {};
  std::string message = {};  ///< without line end
  std::string by = {};       ///< "by block (0, 0, 0), thread (1, 0, 0)"; empty if not known
  std::string code = {};     ///< the text of the line; empty if not known
  std::string detail = {};   ///< the address and the kernel instance; empty if not known
  std::optional<Other> other = {};
  std::vector<std::string> more = {};  ///< further lines: compiler output, older values that were read
  std::string kernel = {};             ///< "reduce/tree"
  std::string repro = {};              ///< the command that reproduces it; empty if there is none
  std::string about = {};              ///< what is the same in every run: the buffer
};

/// The first line of the innermost loop that contains both locations.
std::optional<int> loop_around(const std::string& text, const Location& one, const Location& other);

/// "FILE:LINE:COLUMN: race: ..."
std::string headline(const Diagnostic& one);

/// Three lines: what and where, why, and the command that reproduces it. They are wrapped at 100 columns, except for
/// longer words. A compiler's output has lines of its own. Addresses and kernel instances are for --verbose.
std::string text_of(const Diagnostic& one, bool verbose = false);

/// The text of that line, without surrounding blanks; empty if it is not known.
std::string code_at(const Catalogue& catalogue, const Location& at);

/// The kind of a failed case's diagnostic: "race", "wrong value", "not deterministic".
std::string_view failure_kind(const Case& test, const CaseResult& result);

/// The diagnostic for a failed case. If it has no source line, the location is the kernel's definition.
Diagnostic diagnostic_of(const Catalogue& catalogue, const Case& test, const CaseResult& result);

/// The diagnostic for a kernel's property: its failure, or a note that something is not modelled. Nothing if it passed
/// or did not run.
std::optional<Diagnostic> diagnostic_of(const Catalogue& catalogue, const PropertyReport& report);

/// Takes kind, message, locations and threads from a finding of the simulator.
void point_at(Diagnostic& one, const simulator::Finding& found);

/// Where the kernel's device function is defined; the beginning of its file if that is not found.
Location definition_of(const Catalogue& catalogue, const Kernel& kernel);

/// Where a text defines a __global__ function of that unqualified name.
std::optional<Location> definition_in(const std::string& file, const std::string& text, const std::string& function);

/// A kind of diagnostic, for lists of rules.
struct DiagnosticKind {
  std::string_view kind;
  std::string_view words;  ///< one sentence that describes it
  std::string_view help;   ///< what to do about it
};

/// All kinds.
std::span<const DiagnosticKind> diagnostic_kinds();

/// The kind as one word: "out-of-bounds".
std::string rule_id(std::string_view kind);

}  // namespace warpwright::conformance
