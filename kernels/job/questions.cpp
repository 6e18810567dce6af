// Finds the open questions in a drafted job file.
#include "kernels/job/questions.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "kernels/core/text.hpp"

namespace warpwright::job {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The position of a comment in a line, outside of strings.
std::size_t comment_in(std::string_view line) {
  bool is_in_string = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (is_in_string && line[at] == '\\')
      ++at;
    else if (line[at] == '"')
      is_in_string = !is_in_string;
    else if (!is_in_string && line.substr(at, 2) == "//")
      return at;
  }
  return std::string_view::npos;
}

/// The first key in a line: a string that a colon follows.
std::string key_in(std::string_view line) {
  const std::size_t begin = line.find('"');
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.find('"', begin + 1);
  if (end == std::string_view::npos || !without_blanks(line.substr(end + 1)).starts_with(':')) return {};
  return std::string(line.substr(begin + 1, end - begin - 1));
}

/// The comment without marks, with single blanks.
std::string asked_by(std::string comment) {
  for (std::size_t at = comment.find(kOpenMark); at != std::string::npos; at = comment.find(kOpenMark))
    comment.erase(at, kOpenMark.size());
  std::istringstream words(comment);
  std::string text;
  for (std::string word; words >> word;) {
    // A mark may be followed by ": ".
    if (word != ":" && !text.empty()) text += ' ';
    text += word;
  }
  return text.empty() ? "a guess" : text;
}

}  // namespace

std::vector<OpenQuestion> questions_in(std::string_view text) {
  std::vector<OpenQuestion> questions;
  std::size_t without_key = 0;  // the first question that has no key yet
  std::string before;           // lines of a comment before its first mark
  bool is_open = false;         // the comment of the last question continues
  int number = 0;
  const auto ask = [&](std::string_view words, const std::string& key) {
    // The first comment, of `tune init` or `tune import-t1`, explains the mark.
    if (words.find("`tune i") != std::string_view::npos) return;
    const std::size_t mark = words.find(kOpenMark);
    if (mark != std::string_view::npos) {
      // A mark at the beginning of a comment starts a question. A mark at the end ends one.
      const bool is_in_front = without_blanks(words).starts_with(kOpenMark);
      questions.push_back(
          {.line = number, .key = key, .key_line = key.empty() ? 0 : number, .asks = is_in_front ? "" : before});
      is_open = true;
      before.clear();
    }
    std::string& to = is_open ? questions.back().asks : before;
    to += ' ';
    to += words;
  };
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t at = comment_in(line);
    const std::string_view code = without_blanks(std::string_view(line).substr(0, at));
    const std::string key = key_in(code);
    if (!code.empty()) {
      before.clear();
      is_open = false;
    }
    if (at != std::string_view::npos) ask(std::string_view(line).substr(at + 2), code.empty() ? "" : key);
    // A comment after code is a comment by itself.
    if (!code.empty()) {
      before.clear();
      is_open = false;
    }
    if (key.empty()) continue;
    for (; without_key < questions.size(); ++without_key)
      if (OpenQuestion& question = questions[without_key]; question.key.empty()) {
        question.key = key;
        question.key_line = number;
      }
  }
  for (OpenQuestion& question : questions) question.asks = asked_by(question.asks);
  return questions;
}

std::vector<OpenQuestion> open_questions(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return {};  // the reader of jobs reports it
  std::ifstream in(file);
  return questions_in(std::string(std::istreambuf_iterator<char>(in), {}));
}

std::string describe(const std::string& file, const std::vector<OpenQuestion>& questions) {
  if (questions.empty()) return {};
  std::string text = fmt::format(
      "{} is a draft with {} (marked {}). What is found may be wrong because of {}.\n"
      "Correct the value, then remove the mark:\n",
      file, questions.size() == 1 ? "1 guess" : fmt::format("{} guesses", questions.size()), kOpenMark,
      questions.size() == 1 ? "it" : "them");
  for (const OpenQuestion& one : questions)
    text += wrapped(
        fmt::format("  {}:{}: {}{}", file, one.line, one.key.empty() ? "" : fmt::format("\"{}\": ", one.key), one.asks),
        100, 6);
  return text;
}

}  // namespace warpwright::job
