// What rules are written with: edits of a place, how they are told, and walks over the places of a function.
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

/// Edits within `shown`, told as "before -> after".
Change change_of(const Site& site, std::vector<Edit> edits, TokenRange shown);

Change removal(const Site& site, TokenRange statement);

/// Calls `take(token)` for each token of the body that is not in a static_assert or in the declaration of a shared
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

/// Statements that consist of one call of a function whose name `is_named` accepts; `take(statement, name token)`.
template <class IsNamed, class Take>
void for_each_call_statement(const Site& site, IsNamed is_named, Take take) {
  for (const Statement& statement : site.function.statements)
    if (statement.kind == Statement::Kind::simple && is_named(site.source.word(statement.all.first)))
      take(statement, statement.all.first);
}

/// The parenthesis that opens the arguments of the call of `name`, past template arguments; 0 where there is none.
std::size_t call_open(const DeviceSource& source, std::size_t name);

/// The rules about what is stored where, and in which precision.
std::vector<Rule> store_rules();

/// The rules about atomics, fences, waits and warp operations.
std::vector<Rule> order_rules();

}  // namespace warpwright::conformance
