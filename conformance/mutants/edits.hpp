// Helpers for mutation rules: making and describing edits, and iterating over the tokens and statements of a function.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/mutation.hpp"

namespace warpwright::conformance {

using Changes = std::vector<Change>;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

Edit replace(const Site& site, TokenRange range, std::string by);
Edit before(const Site& site, std::size_t token, std::string text);
Edit after(const Site& site, std::size_t token, std::string text);

/// The text of a range after the edits, on one line.
std::string edited_words(const Site& site, TokenRange range, std::vector<Edit> edits);

/// The change made by these edits, described as "before -> after" within the range `shown`.
Change change_of(const Site& site, std::vector<Edit> edits, TokenRange shown);

Change removal(const Site& site, TokenRange statement);

/// Calls `take(token)` for each token of the body that is neither in a static_assert nor in the declaration of a shared
/// variable.
template <class Take>
void for_each_token(const Site& site, Take take) {
  for (std::size_t i = site.function.body.first + 1; i < site.function.body.last; ++i) {
    if (site.source.word(i) == "static_assert") i = site.source.partner(i + 1);
    if (site.source.word(i) == "__shared__")
      while (site.source.word(i) != ";") ++i;
    take(i);
  }
}

/// Calls `take(statement, name token)` for each statement that is just a call of a function whose name `is_named`
/// accepts.
template <class IsNamed, class Take>
void for_each_call_statement(const Site& site, IsNamed is_named, Take take) {
  for (const Statement& statement : site.function.statements)
    if (statement.kind == Statement::Kind::simple && is_named(site.source.word(statement.all.first)))
      take(statement, statement.all.first);
}

/// The parenthesis that opens the arguments of the call of `name`, after any template arguments; 0 if there is none.
std::size_t call_open(const DeviceSource& source, std::size_t name);

/// The rules about stores and precision.
std::vector<Rule> store_rules();

/// The rules about atomics, fences, waits and warp operations.
std::vector<Rule> order_rules();

}  // namespace warpwright::conformance
