// Small parts that pages share: the frame of a page, icons, banners, and figures with a title and a finding.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "reports/page.hpp"

namespace warpwright::reports {

// A link in the bar on top; one without a target is this page.
struct Crumb {
  std::string text{};
  std::string href{};
};

// The frame around a page's content.
struct Frame {
  std::string title{};
  std::vector<Crumb> crumbs{};
  std::string made{};  // the database and the time
  const Assets* assets = nullptr;
};
// `contents` are the links within the page; `body` is the content of <main>.
std::string framed(const Frame&, const std::string& contents, const std::string& body);

// A small picture beside a word: "ok", "half", "predicted", "warning", "none", "wrong", "faster".
std::string icon(const std::string& name);
// The icon and the word for a Summary::certainty, in its colour.
std::string certainty_mark(const std::string& certainty);

// A line with an icon and a coloured edge. `tone` is "good", "warn" or "bad"; `html` is its content.
std::string banner(const std::string& tone, const std::string& icon_name, const std::string& html);

// A section of a page: a title with its provenance and controls, one sentence with the finding, and the picture.
struct Figure {
  std::string id{};
  std::string title{};
  std::string provenance{};  // "measured", "predicted" or ""
  std::string controls{};    // markup to the right of the title
  std::string finding{};     // markup of the sentence
  std::string body{};

  bool empty() const { return title.empty(); }
  std::string html(int width) const;  // of 12 columns
};
// Figures side by side, with their widths. If some are empty, the last other one gets their room. Those that have no
// room stand below the first ones. Those that are only a sentence stand below all others.
using Line = std::vector<std::pair<Figure, int>>;
// Lines one below another, and the links to their figures.
struct Layout {
  std::string html{};
  std::string contents{};
};
Layout laid_out(const std::vector<Line>&);

// A group of radio buttons that looks like one switch. `name` is the name of the inputs; each choice has an id and a
// markup; the first is checked.
std::string choice(const std::string& name, const std::string& label,
                   const std::vector<std::pair<std::string, std::string>>& choices);

// Buttons that copy the text of the element with that id.
std::string copy_button(const std::string& id, const std::string& label);

// "a, b and c"; where there are more than `most` + 1: "a, b and 3 more". Parts are markup.
std::string listed(const std::vector<std::string>& parts, std::size_t most = 1000);

// <details> with a summary, both markup; empty if there is nothing to open.
std::string details(const std::string& summary, const std::string& html, bool open = false);

// A model without its maker and memory: "H200", "H100 PCIe", "RTX 2080 Ti".
std::string short_board(const std::string& model);

}  // namespace warpwright::reports
