// Selects the declarations in a source that its kernels need.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/job/text/includes.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Declarations by number, and which others each one names. Both arguments must outlive this object.
class Selection {
 public:
  /// For a function on the CPU, declarations for the host are kept too, but no kernels.
  Selection(const Tokens& tokens, const Items& found, Side side = Side::device);

  bool is_kept(std::size_t item) const { return kept_[item]; }
  bool is_mentioned(const std::string& word) const { return reached_.contains(word); }

  /// Keeps a declaration, and everything that it names and device code may use. Kernels are only kept by this call.
  void keep(std::size_t number);

  /// Keeps declarations that matter without being named: operators of device code, using directives, calls of macros
  /// that define these.
  void keep_unnamed();

  /// The source with its kept declarations. All others are blank, so that lines keep their numbers.
  std::string text() const;

  /// Keeps functions and types of device code that the host code names, since it may pass them as template arguments.
  void keep_named_by_host();

 private:
  bool is_made_for_device(const Item& item) const;
  bool is_known(std::string_view name) const;
  bool makes_device_code(const Item& item) const;
  bool names_host_types(const Item& item) const;
  bool is_for_side(const Item& item) const;
  void reach(const std::string& word);

  const Tokens& tokens_;
  const Items& found_;
  Side side_;
  std::vector<bool> kept_;
  std::set<std::string> reached_;
  std::map<std::string, std::vector<std::size_t>> declaring_;
  std::set<std::string, std::less<>> namespaces_;
};

}  // namespace warpwright::job
