// Which declarations of a text its kernels need.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Items by their numbers, each with what its words name. Both arguments must live on.
class Selection {
 public:
  Selection(const Tokens& tokens, const Items& found);

  bool is_kept(std::size_t item) const { return kept_[item]; }
  bool is_mentioned(const std::string& word) const { return reached_.contains(word); }

  /// With all that device code may use of what it names. Kernels are kept by this alone: none is needed by another.
  void keep(std::size_t number);

  /// What counts whatever names it: operators of device code, namespaces that are used, calls of macros that make such.
  void keep_unnamed();

  /// What the host code may give to kernels as a template argument: functions and types of device code that it names.
  void keep_named_by_host();

 private:
  bool is_made_for_device(const Item& item) const;
  bool is_known(std::string_view name) const;
  bool makes_device_code(const Item& item) const;
  bool names_host_types(const Item& item) const;
  bool is_for_device(const Item& item) const;
  void reach(const std::string& word);

  const Tokens& tokens_;
  const Items& found_;
  std::vector<bool> kept_;
  std::set<std::string> reached_;
  std::map<std::string, std::vector<std::size_t>> declaring_;
  std::set<std::string, std::less<>> namespaces_;
};

}  // namespace warpwright::job
