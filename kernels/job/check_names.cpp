// Checks that every name in a job is defined, and has one meaning only.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "kernels/job/read_parts.hpp"
#include "kernels/job/tensor_maps.hpp"
#include "kernels/job/textures.hpp"

namespace warpwright::job {
namespace {

class NameCheck {
 public:
  explicit NameCheck(const Job& job) : job_(job) {
    for (const Extent& extent : job.extents) add(problem_, extent.name, job.root);
    for (const Number& number : job.numbers) add(problem_, number.name, job.root);
    params_ = problem_;
    for (const Param& param : job.params) add(params_, param.name, param.place);
    for (const std::string name : {"sm_count", "max_threads_per_sm", "shared_per_block"}) add(params_, name, job.root);
    for (const JobBuffer& buffer : job.buffers) {
      if (params_.contains(buffer.name))
        buffer.place.fail(fmt::format("\"{}\" is a buffer and a number: rename one", buffer.name));
      buffers_.insert(buffer.name);
    }
  }

  void all() {
    for (const Rule& rule : job_.constraints) known(rule.holds, params_, member("constraints"));
    for (const Rule& rule : job_.takes) known(rule.holds, params_, member("takes"));
    for (const auto& [macro, value] : job_.defines) known(value, params_, member("defines"));
    for (const JobBuffer& buffer : job_.buffers) {
      // A buffer that all configurations share must depend only on the problem.
      known(buffer.count, buffer.role == Role::scratch ? params_ : problem_, buffer.place);
      known(buffer.data.first, problem_, buffer.place);
      known(buffer.data.second, problem_, buffer.place);
      known(buffer.compared.first, problem_, buffer.place);
      known(buffer.compared.second, problem_, buffer.place);
      if (buffer.data.kind == Data::Kind::function) data_function(buffer);
    }
    steps(job_.steps, params_);
    steps(job_.oracle.steps, problem_);
    if (job_.oracle.kind == Oracle::Kind::function) steps({job_.oracle.function.call}, problem_);
    for (const auto& [buffer, file] : job_.oracle.files) buffer_is_known(buffer, member("oracle"));
    known(job_.bound.depth, params_, member("bound"));
    for (const auto* figure :
         {&job_.work.read, &job_.work.written, &job_.work.operations, &job_.work.steps, &job_.work.amount})
      if (*figure) known(**figure, problem_, member("work"));
    for (const JobLaw& law : job_.laws) {
      buffer_is_known(law.in, law.place);
      buffer_is_known(law.out, law.place);
    }
  }

 private:
  using Set = std::set<std::string, std::less<>>;

  static void add(Set& names, const std::string& name, const Node& place) {
    if (!names.insert(name).second) place.fail(fmt::format("the name \"{}\" means two things: rename one", name));
  }

  const Node& member(const std::string& name) const {
    const Node* const found = job_.root.find(name);
    return found == nullptr ? job_.root : *found;
  }

  void known(const Expression& expression, const Set& names, const Node& place) const {
    for (const std::string& name : expression.names()) {
      if (names.contains(name)) continue;
      const bool is_param = std::ranges::find(job_.params, name, &Param::name) != job_.params.end();
      line_of(place, expression)
          .fail(is_param ? fmt::format("\"{}\" uses the param {}, and this must be the same for all configurations: "
                                       "write its number, or make it one of the \"numbers\"",
                                       expression.text(), name)
                         : fmt::format("\"{}\" uses {}, which is not defined here; known are {}", expression.text(),
                                       name, fmt::join(names, ", ")));
    }
  }

  /// The value at or below `place` that contains the expression; `place` if there is none.
  static const Node& line_of(const Node& place, const Expression& expression) {
    if (place.is(Node::Kind::text) && place.text == expression.text()) return place;
    const auto below = [&](const Node& inner) -> const Node* {
      const Node& found = line_of(inner, expression);
      return found.is(Node::Kind::text) && found.text == expression.text() ? &found : nullptr;
    };
    for (const Node& item : place.items)
      if (const Node* found = below(item)) return *found;
    for (const auto& [name, value] : place.members)
      if (const Node* found = below(value)) return *found;
    return place;
  }

  void buffer_is_known(const std::string& name, const Node& place) const {
    if (!buffers_.contains(name))
      place.fail(fmt::format("no buffer \"{}\"; there are {}", name, fmt::join(buffers_, ", ")));
  }

  void argument(const JobArgument& argument, const Set& numbers) const {
    if (!argument.buffer.empty()) buffer_is_known(argument.buffer, argument.place);
    known(argument.offset, numbers, argument.place);
    if (argument.texture) {
      buffer_is_known(argument.texture->texture.buffer, argument.place);
      for (const Expression& extent : argument.texture->extent) known(extent, numbers, argument.place);
      check_texture(*argument.texture, *find_buffer(job_, argument.texture->texture.buffer), argument.place);
    }
    if (const auto& map = argument.tensor_map) {
      buffer_is_known(map->buffer, argument.place);
      check_tensor_map(*find_buffer(job_, map->buffer), argument.place);
      for (const auto* sizes : {&map->extents, &map->pitches, &map->box})
        for (const Expression& size : *sizes) known(size, numbers, argument.place);
      known(map->offset, numbers, argument.place);
      known(map->swizzle, numbers, argument.place);
    }
    // A single name may be that of a buffer.
    if (argument.value && !buffers_.contains(argument.value->text())) {
      Set names = numbers;
      if (argument.value->names() == Set{argument.value->text()}) names.insert(buffers_.begin(), buffers_.end());
      known(*argument.value, names, argument.place);
    }
    for (const Expression& value : argument.values) known(value, numbers, argument.place);
    for (const JobArgument& inner : argument.members) this->argument(inner, numbers);
  }

  /// A function for data gets buffers that hold nothing yet.
  void data_function(const JobBuffer& of) const {
    const JobStep& call = of.data.function.call;
    Set names = problem_;
    names.insert(kSeed);
    bool fills_it = false;
    for (const JobArgument& one : *call.arguments) {
      argument(one, names);
      const std::string name = !one.buffer.empty() ? one.buffer : one.value ? one.value->text() : "";
      const JobBuffer* const buffer = find_buffer(job_, name);
      if (buffer == nullptr) continue;
      fills_it = fills_it || name == of.name;
      if (!buffer->is_input())
        one.place.fail(fmt::format("{} is no input: a function for data is given inputs, which it fills", name));
    }
    if (!fills_it)
      call.place.fail(
          fmt::format("{} does not get {}, which it should fill: name it in \"arguments\"", call.function, of.name));
  }

  /// `numbers`: the names in arguments. Those of an oracle are no params, since all configurations have one oracle.
  void steps(const std::vector<JobStep>& list, Set numbers) {
    for (const JobStep& step : list) {
      if (!step.zero.empty()) buffer_is_known(step.zero, step.place);
      if (step.repeat) known(*step.repeat, params_, step.place);
      for (const auto& [one, other] : step.swaps) {
        buffer_is_known(one, step.place);
        buffer_is_known(other, step.place);
      }
      for (std::size_t i = 0; i < step.grid.size(); ++i) {
        known(step.grid[i], params_, step.place);
        known(step.block[i], params_, step.place);
        known(step.cluster[i], params_, step.place);
      }
      known(step.shared, params_, step.place);
      if (step.arguments)
        for (const JobArgument& one : *step.arguments) argument(one, numbers);
      if (!step.index.empty()) {
        add(params_, step.index, step.place);
        numbers.insert(step.index);
      }
      steps(step.steps, numbers);
      params_.erase(step.index);
      numbers.erase(step.index);
    }
  }

  const Job& job_;
  Set problem_, params_, buffers_;
};

}  // namespace

void check_names(const Job& job) {
  NameCheck(job).all();
}

}  // namespace warpwright::job
