// The space of a kernel: axes with their values, and named constraints; its points, as values and as C++ text.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/element_type.hpp"
#include "kernels/model/spelling.hpp"

namespace warpwright {

/// One value per axis, in the order of the axes.
using Point = std::vector<std::int64_t>;

/// A tunable parameter: its name, its values in canonical order (simplest first) and their C++ spellings.
struct Axis {
  std::string name;
  std::vector<std::int64_t> values;
  std::vector<std::string> spellings;  ///< as in a designated initialiser: "warpwright::reduce::finish::atomic"

  /// The spelling without namespaces: "atomic".
  std::string label(std::int64_t value) const;
};

/// What constraints may depend on besides the params: the problem's types and the device.
struct Surroundings {
  std::vector<ElementType> types;
  Device device;

  ElementType type() const { return types.front(); }
};

/// A param, or one value of a param, that a kernel had before. Texts of stored configurations still contain it.
struct FormerParam {
  std::string axis;
  std::string value = {};     ///< its label; empty: all values
  std::string now = {};       ///< the axis, or with `value` the label of the value, that took its place; empty: none
  std::string why_gone = {};  ///< if nothing did: a sentence without a full stop
  /// If nothing did: configurations with it are those without it. If not, they are gone too.
  bool is_implied = true;
};

struct Constraint {
  std::string name;
  std::function<bool(const Point&, const Surroundings&)> holds;
};

class Space {
 public:
  Space() = default;
  /// Throws std::invalid_argument if a former param is still one, or what took its place is none.
  Space(std::vector<Axis> axes, std::vector<Constraint> constraints, std::vector<FormerParam> former = {});

  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<FormerParam>& former() const { return former_; }
  /// The former param of that name, or with `value` the former value of that axis; null if there is none.
  const FormerParam* find_former(std::string_view axis, std::string_view value = {}) const;

  /// The name of the first constraint that the point breaks, or "unknown value of AXIS" for a value that is not on its
  /// axis. Empty for a valid point.
  std::string rejected_by(const Point& point, const Surroundings& surroundings) const;

  /// All valid points in canonical order: the last axis varies fastest.
  std::vector<Point> points(const Surroundings& surroundings) const;

  /// As a C++ designated initialiser: "{.block_size = 256, .bank_pad = 1}"
  std::string text(const Point& point) const;

  /// Parses the text of a point. White space is ignored, names without namespaces are accepted too, and missing axes
  /// get their values from `defaults`. A former param is read as what took its place, and left out if nothing did.
  /// Throws std::invalid_argument that names the known axes or values.
  Point parse(std::string_view text, const Point& defaults) const;

  /// {"block_size": 256, "finish": "atomic"}
  nlohmann::json json(const Point& point) const;

  /// [{"name": "block_size", "values": [32, 64]}, {"name": "finish", "values": [0, 1], "labels": ["atomic", ...]}]
  nlohmann::json axes_json() const;

 private:
  std::vector<Axis> axes_;
  std::vector<Constraint> constraints_;
  std::vector<FormerParam> former_;
};

/// Builds the space of a params aggregate P from pointers to its members.
template <class P>
class SpaceOf {
 public:
  /// `values` are numbers, booleans or enumerators: {finish::atomic, finish::host}.
  template <class V>
  SpaceOf& axis(std::string name, V P::*member, std::vector<std::type_identity_t<V>> values) {
    Axis added{.name = std::move(name), .values = {}, .spellings = {}};
    for (const V v : values) {
      added.values.push_back(static_cast<std::int64_t>(v));
      added.spellings.push_back(spelling(v));
    }
    axes_.push_back(std::move(added));
    setters_.push_back([member](P& p, std::int64_t v) { p.*member = static_cast<V>(v); });
    getters_.push_back([member](const P& p) { return static_cast<std::int64_t>(p.*member); });
    return *this;
  }

  /// `holds` takes (params) or (params, surroundings).
  template <class Test>
  SpaceOf& require(std::string name, Test holds) {
    if constexpr (std::is_invocable_v<Test, const P&>)
      constraints_.push_back(
          {std::move(name), [test = std::move(holds)](const P& p, const Surroundings&) { return test(p); }});
    else
      constraints_.push_back({std::move(name), std::move(holds)});
    return *this;
  }

  /// The axis `now` was called `before`.
  SpaceOf& renamed(std::string before, std::string now) {
    former_.push_back({.axis = std::move(before), .value = {}, .now = std::move(now), .why_gone = {}});
    return *this;
  }
  /// The value `now` of an axis was called `before`, or does all that `before` did.
  SpaceOf& renamed_value(std::string axis, std::string before, std::string now) {
    former_.push_back({.axis = std::move(axis), .value = std::move(before), .now = std::move(now), .why_gone = {}});
    return *this;
  }
  /// Of a former axis, `value` is what all configurations do now; with other values they are gone.
  SpaceOf& implied(std::string axis, std::string value, std::string why) {
    former_.push_back({.axis = std::move(axis), .value = std::move(value), .now = {}, .why_gone = std::move(why)});
    return *this;
  }
  /// Configurations with that value are gone.
  SpaceOf& removed_value(std::string axis, std::string value, std::string why) {
    former_.push_back({.axis = std::move(axis),
                       .value = std::move(value),
                       .now = {},
                       .why_gone = std::move(why),
                       .is_implied = false});
    return *this;
  }
  /// There was an axis `before` that changed nothing. `why`: "loads of constant data are cached in any case".
  SpaceOf& removed(std::string before, std::string why) {
    former_.push_back({.axis = std::move(before), .value = {}, .now = {}, .why_gone = std::move(why)});
    return *this;
  }

  P params(const Point& point) const {
    P made{};
    for (std::size_t i = 0; i < setters_.size(); ++i) setters_[i](made, point.at(i));
    return made;
  }

  Point point(const P& params) const {
    Point made;
    for (const auto& get : getters_) made.push_back(get(params));
    return made;
  }

  Space space() const {
    std::vector<Constraint> erased;
    for (const auto& [name, holds] : constraints_)
      erased.push_back({name, [self = *this, test = holds](const Point& p, const Surroundings& around) {
                          return test(self.params(p), around);
                        }});
    return {axes_, std::move(erased), former_};
  }

 private:
  std::vector<Axis> axes_;
  std::vector<std::function<void(P&, std::int64_t)>> setters_;
  std::vector<std::function<std::int64_t(const P&)>> getters_;
  std::vector<std::pair<std::string, std::function<bool(const P&, const Surroundings&)>>> constraints_;
  std::vector<FormerParam> former_;
};

}  // namespace warpwright
