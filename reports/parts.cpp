// Writes the parts that pages share.
#include "reports/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <sstream>

#include "kernels/core/text.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"
#include "reports/html.hpp"

namespace warpwright::reports {
namespace {

// A script element must not contain "</script" or "<!--" as text. In JavaScript source these occur only in strings and
// comments, so they are escaped.
std::string inlined_script(std::string_view text) {
  std::string script(text);
  for (const std::string mark : {"</script", "<!--"}) {
    for (std::size_t at = 0; (at = script.find(mark, at)) != std::string::npos; at += mark.size() + 1) {
      script.insert(at + 1, "\\");
    }
  }
  return "<script>" + script + "</script>\n";
}

// Runs before the page is drawn, so that the page does not change visibly.
constexpr const char* first_script =
    "<script>document.documentElement.classList.add('js');try{const t=localStorage.warpwrightTheme;"
    "if(t)document.documentElement.dataset.theme=t}catch{}</script>\n";

constexpr const char* icons =
    "<svg width=0 height=0 class=defs aria-hidden=true><defs>"
    "<symbol id=i-ok viewBox=\"0 0 16 16\"><circle cx=8 cy=8 r=6.5 /><path d=\"M4.8 8.3 7 10.5 11.3 5.8\"/></symbol>"
    "<symbol id=i-half viewBox=\"0 0 16 16\"><circle cx=8 cy=8 r=6.5 /><path d=\"M8 1.5a6.5 6.5 0 0 1 0 13z\" "
    "fill=currentcolor /></symbol>"
    "<symbol id=i-predicted viewBox=\"0 0 16 16\"><path d=\"M8 1.4 14.6 8 8 14.6 1.4 8z\" stroke-dasharray=\"3 "
    "2\"/></symbol>"
    "<symbol id=i-warning viewBox=\"0 0 16 16\"><path d=\"M8 1.8 15 14.2H1zM8 6.3v4M8 11.8v.9\"/></symbol>"
    "<symbol id=i-none viewBox=\"0 0 16 16\"><circle cx=8 cy=8 r=6.5 stroke-dasharray=\"2.5 2\"/><path "
    "d=\"M5 8h6\"/></symbol>"
    "<symbol id=i-wrong viewBox=\"0 0 16 16\"><circle cx=8 cy=8 r=6.5 /><path d=\"m5.4 5.4 5.2 5.2m0-5.2-5.2 "
    "5.2\"/></symbol>"
    "<symbol id=i-faster viewBox=\"0 0 16 16\"><path d=\"M8 14.2V2.8M3.4 7.4 8 2.8l4.6 4.6\"/></symbol>"
    "<symbol id=i-measured viewBox=\"0 0 16 16\"><circle cx=8 cy=8 r=4.5 fill=currentcolor /></symbol>"
    "</defs></svg>\n";

}  // namespace

std::string framed(const Frame& frame, const std::string& contents, const std::string& body) {
  std::string links;
  for (const Crumb& crumb : frame.crumbs)
    links += crumb.href.empty()
                 ? fmt::format("<a aria-current=page>{}</a>", escape(charts::with_powers(crumb.text)))
                 : fmt::format("<a href=\"{}\">{}</a>", escape(crumb.href), escape(charts::with_powers(crumb.text)));
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
             "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
             "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; "
             "script-src 'unsafe-inline'; img-src data:\">\n"
             "<title>{}</title>\n<link rel=icon href=\"data:,\">\n<style>{}</style>\n{}</head>\n<body>\n"
             "<a class=\"hidden skip\" href=\"#main\">Skip to the content</a>\n{}{}"
             "<header class=top><a class=home href=\"index.html\">warpwright</a><nav aria-label=Pages>{}</nav>"
             "<small class=made>{}</small><button id=theme class=js-only>Dark</button></header>\n{}<main id=main>\n{}",
             escape(frame.title), frame.assets->css, first_script, icons, charts::definitions(), links,
             escape(frame.made), contents, body) +
         "</main>\n" + inlined_script(frame.assets->script) + "</body></html>\n";
}

std::string icon(const std::string& name) {
  return fmt::format("<svg class=ic aria-hidden=true><use href=\"#i-{}\"/></svg>", name);
}

std::string certainty_mark(const std::string& certainty) {
  const auto mark = [&](const char* tone, const char* name) {
    return fmt::format("<span class={}>{} {}</span>", tone, icon(name), escape(certainty));
  };
  if (certainty == "certified") return mark("good", "ok");
  if (certainty == "measured") return mark("soft", "half");
  if (certainty == "failing") return mark("bad", "wrong");
  return mark("soft", certainty == "not timed" ? "none" : "predicted");
}

std::string banner(const std::string& tone, const std::string& icon_name, const std::string& html) {
  return fmt::format("<div class=\"banner {}\">{}<span>{}</span></div>\n", tone, icon(icon_name), html);
}

std::string Figure::html(int width) const {
  const std::string known =
      provenance.empty() ? ""
                         : fmt::format("<span class=\"known{}\">{} {}</span>", provenance == "measured" ? " good" : "",
                                       icon(provenance == "measured" ? "measured" : "predicted"), escape(provenance));
  return fmt::format(
      "<section id={} class=\"fig w{}\" aria-labelledby={}-title>\n<div class=fig-head><h2 "
      "id={}-title>{}</h2>{}{}</div>\n"
      "{}{}</section>\n",
      id, width, id, id, escape(title), known, controls,
      finding.empty() ? "" : "<p class=finding>" + finding + "</p>\n", body);
}

Layout laid_out(const std::vector<Line>& lines) {
  Layout layout{.html = "<div class=sections>\n", .contents = "<nav class=contents aria-label=\"This page\">"};
  for (const Line& line : lines) {
    const Figure* last = nullptr;
    int free = 12;
    for (const auto& [figure, width] : line) {
      if (figure.body.empty()) continue;
      last = &figure;
      free -= width;
    }
    free = std::max(free, 0);
    std::string sentences;
    for (const auto& [figure, width] : line) {
      if (figure.empty()) continue;
      (figure.body.empty() ? sentences : layout.html) += figure.html(figure.body.empty() ? 12
                                                                     : &figure == last   ? width + free
                                                                                         : width);
      layout.contents += fmt::format("<a href=\"#{0}\">{0}</a>", figure.id);
    }
    layout.html += sentences;
  }
  layout.html += "</div>\n";
  layout.contents += "</nav>\n";
  return layout;
}

std::string choice(const std::string& name, const std::string& label,
                   const std::vector<std::pair<std::string, std::string>>& choices) {
  std::string html = fmt::format("<fieldset class=choice aria-label=\"{}\">", escape(label));
  for (const auto& [id, text] : choices)
    html += fmt::format("<label><input type=radio name={} id={} value={}{}><span>{}</span></label>", name, id, id,
                        id == choices.front().first ? " checked" : "", text);
  return html + "</fieldset>";
}

std::string copy_button(const std::string& id, const std::string& label) {
  return fmt::format("<button class=js-only data-copy=\"{}\">{}</button>", id, escape(label));
}

std::string listed(const std::vector<std::string>& parts, std::size_t most) {
  std::string html;
  const std::size_t shown = parts.size() <= most + 1 ? parts.size() : most;
  for (std::size_t i = 0; i < shown; ++i) html += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return shown == parts.size()
             ? html
             : html + fmt::format(" and {} more", grouped(std::ssize(parts) - static_cast<std::ptrdiff_t>(shown)));
}

std::string details(const std::string& summary, const std::string& html, bool open) {
  if (html.empty()) return "";
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "", summary, html);
}

std::string short_board(const std::string& model) {
  std::istringstream words(model);
  std::string name;
  for (std::string word; words >> word;) {
    const bool maker = word == "NVIDIA" || word == "GeForce" || word == "Tesla";
    const bool memory = word.ends_with("GB") || word.starts_with("HBM");
    if (!maker && !memory) name += (name.empty() ? "" : " ") + word;
  }
  return name.empty() ? model : name;
}

}  // namespace warpwright::reports
