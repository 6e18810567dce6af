// What a drafted job file still asks: its comments with "???".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::job {

/// A comment with "???", which `tune init` writes where it guessed.
struct OpenQuestion {
  int line = 0;      ///< of the mark
  std::string key;   ///< the next one behind the comment: "extents"; empty where none follows
  std::string asks;  ///< the comment without the mark
};

/// Those of a text, in their order. What says how drafts are marked is none.
std::vector<OpenQuestion> questions_in(std::string_view text);

/// Those of a file; none where it cannot be read.
std::vector<OpenQuestion> open_questions(const std::filesystem::path& file);

/// Lines for people that name all of them, in at most 100 columns where words allow it; empty where there are none.
std::string words_of(const std::string& file, const std::vector<OpenQuestion>& questions);

}  // namespace warpwright::job
