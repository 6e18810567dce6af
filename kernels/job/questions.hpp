// The open questions in a drafted job file: its comments with "???".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::job {

/// Marks a question in a comment. As a value, it stands for one that the user must give.
inline constexpr std::string_view kOpenMark = "???";

/// A comment with "???". `tune init` writes one where it has guessed.
struct OpenQuestion {
  int line = 0;      ///< the line of the mark
  std::string key;   ///< the next key after the comment, such as "extents"; may be empty
  int key_line = 0;  ///< the line of that key; 0 without one
  std::string asks;  ///< the comment without the mark
};

/// The questions in a text, in order. A comment that only explains the mark is not a question.
std::vector<OpenQuestion> questions_in(std::string_view text);

/// The questions in a file; none if it cannot be read.
std::vector<OpenQuestion> open_questions(const std::filesystem::path& file);

/// Text that lists all of them, with lines of at most 100 columns if words allow it. Empty if there are none.
std::string describe(const std::string& file, const std::vector<OpenQuestion>& questions);

}  // namespace warpwright::job
