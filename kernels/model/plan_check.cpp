// Checks a plan before it runs: streams, labels, memories of buffers, and textures.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/model/plan.hpp"

namespace warpwright {
namespace {

class PlanCheck {
 public:
  explicit PlanCheck(const Plan& plan) : plan_(plan) {}

  std::string run() {
    for (const Buffer& buffer : plan_.buffers)
      if (buffer.self_restoring && buffer.where != Where::device)
        return fmt::format("the self-restoring scratch {} is in {} memory, not in the device's", buffer.name,
                           word_of(buffer.where));
    note_labels(plan_.steps);
    if (!twice_.empty()) return fmt::format("two steps have the label '{}'", twice_);
    return steps(plan_.steps);
  }

 private:
  void note_labels(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (!step.label.empty() && !all_labels_.emplace(step.label, &step).second) twice_ = step.label;
      if (const auto* repeat = std::get_if<Repeat>(&step.what)) note_labels(repeat->steps);
    }
  }

  std::string steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      std::string wrong = of_order(step);
      if (wrong.empty()) wrong = of_start(step);
      if (wrong.empty()) wrong = std::visit([&](const auto& what) { return of_places(what); }, step.what);
      if (!wrong.empty()) return wrong;
      if (!step.label.empty()) before_[step.label] = &step;
    }
    return {};
  }

  std::string of_order(const Step& step) const {
    const std::string words = describe(step);
    if (step.stream < 0 || step.stream >= kMostStreams)
      return fmt::format("stream {} of {} streams: {}", step.stream, kMostStreams, words);
    const bool is_repeat = std::holds_alternative<Repeat>(step.what);
    if (is_repeat && (step.stream != 0 || !step.label.empty() || !step.waits.empty()))
      return "a repeat has no stream, label or waits of its own: its steps have";
    if (is_host_step(step) && step.stream != 0) return "the host is in no stream: " + words;
    for (const std::string& label : step.waits) {
      if (!all_labels_.contains(label)) return fmt::format("no step has the label '{}': {}", label, words);
      const auto found = before_.find(label);
      if (found == before_.end())
        return fmt::format("the step '{}' is not before the one that waits: {}", label, words);
      if (is_host_step(*found->second))
        return fmt::format("the host does nothing behind '{}' before it is over, so nothing waits for it: {}", label,
                           words);
    }
    return {};
  }

  /// Whether a programmatic launch has a launch before it.
  std::string of_start(const Step& step) {
    const auto* const launch = std::get_if<Launch>(&step.what);
    const bool is_behind_launch = std::exchange(is_launch_last_[step.stream], launch != nullptr);
    if (launch == nullptr || !launch->programmatic || is_behind_launch) return {};
    return fmt::format("{} is a programmatic launch, and no launch is directly before it in its stream", launch->entry);
  }

  std::string of_places(const Launch& launch) const {
    for (const Argument& argument : launch.arguments) {
      for (const BufferArgument* const pointer : pointers_of(argument))
        if (where(pointer->buffer) == Where::pageable)
          return fmt::format("{} takes the buffer {}, which is in pageable memory: no kernel reaches that",
                             launch.entry, pointer->buffer);
      if (const auto* const tiled = std::get_if<TensorMapArgument>(&argument))
        if (std::string wrong = of_tensor_map(launch.entry, *tiled); !wrong.empty()) return wrong;
      const auto* const bound = std::get_if<TextureArgument>(&argument);
      if (bound == nullptr) continue;
      if (std::string wrong = of_texture(launch.entry, bound->texture); !wrong.empty()) return wrong;
    }
    return {};
  }
  std::string of_tensor_map(const std::string& entry, const TensorMapArgument& tiled) const {
    constexpr std::int64_t kUnit = 16;
    const auto& [matrix, map] = tiled;
    std::string wrong = fault_of(map);
    const auto found = std::ranges::find(plan_.buffers, matrix.buffer, &Buffer::name);
    if (found == plan_.buffers.end())
      wrong = "the plan has no such buffer";
    else if (wrong.empty() && (matrix.byte_offset < 0 || matrix.byte_offset % kUnit != 0))
      wrong = fmt::format("the matrix begins at byte {}, not at a multiple of {}", matrix.byte_offset, kUnit);
    else if (wrong.empty() && matrix.byte_offset + map.bytes() > found->bytes())
      wrong = fmt::format("the matrix ends at byte {}, and the buffer has {}", matrix.byte_offset + map.bytes(),
                          found->bytes());
    if (wrong.empty()) return {};
    return fmt::format("{} takes a tensor map of the buffer {}: {}", entry, matrix.buffer, wrong);
  }
  std::string of_texture(const std::string& entry, const Texture& texture) const {
    if (std::string wrong = of_buffer(texture); !wrong.empty()) return wrong;
    if (texture.is_array && std::ranges::find(uploaded_, texture) == uploaded_.end())
      return fmt::format("no step before {} copies {} into the array of its texture", entry, texture.buffer);
    return {};
  }
  /// The buffer that a texture reads.
  std::string of_buffer(const Texture& texture) const {
    if (std::string wrong = fault_of(texture); !wrong.empty()) return wrong;
    const auto found = std::ranges::find(plan_.buffers, texture.buffer, &Buffer::name);
    if (found == plan_.buffers.end())
      return fmt::format("a texture of the buffer {}, which the plan does not have", texture.buffer);
    if (found->where != Where::device)
      return fmt::format("a texture of the buffer {}, which is in {} memory, not in the device's", texture.buffer,
                         word_of(found->where));
    if (found->type != texture.type || found->bytes() < texture.bytes())
      return fmt::format("the {} is no part of that buffer: it has {} x {}", describe(texture), found->count,
                         name_of(found->type));
    return {};
  }
  std::string of_places(const TextureUpload& upload) {
    uploaded_.push_back(upload.texture);
    if (!upload.texture.is_array) return "a texture of linear memory is not uploaded: it sees the buffer itself";
    return of_buffer(upload.texture);
  }
  std::string of_places(const Memset& memset) const { return on_device("a memset", memset.buffer); }
  std::string of_places(const ConstantUpload& upload) const {
    return on_device("the upload of a constant", upload.buffer);
  }
  std::string of_places(const Copy& copy) const {
    if (copy.from_offset < 0 || copy.to_offset < 0) return "a copy from or to before the start of a buffer";
    return {};
  }
  std::string of_places(const Prefetch& prefetch) const {
    return where(prefetch.buffer) == Where::managed
               ? ""
               : fmt::format("a prefetch of {}, which is no managed buffer", prefetch.buffer);
  }
  std::string of_places(const HostWork& work) const {
    for (const HostAccess& access : work.accesses)
      if (where(access.buffer) == Where::device)
        return fmt::format("{} takes the buffer {}, which is in device memory: the host does not reach that",
                           work.function, access.buffer);
    for (const Argument& argument : work.arguments) {
      if (std::holds_alternative<TextureArgument>(argument) || std::holds_alternative<TensorMapArgument>(argument))
        return fmt::format("{} takes a texture or a tensor map, which no function of the host reads", work.function);
      for (const BufferArgument* const pointer : pointers_of(argument))
        if (std::ranges::find(work.accesses, pointer->buffer, &HostAccess::buffer) == work.accesses.end())
          return fmt::format("{} takes the buffer {} and does not say what it reads or writes of it", work.function,
                             pointer->buffer);
    }
    return {};
  }
  static std::string of_places(const Synchronise&) { return {}; }
  std::string of_places(const Repeat& repeat) { return repeat.times > 0 ? steps(repeat.steps) : ""; }

  std::string on_device(const std::string& what, const std::string& buffer) const {
    const Where place = where(buffer);
    if (place == Where::device || place == Where::managed) return {};
    return fmt::format("{} takes the buffer {}, which is in {} memory of the host", what, buffer, word_of(place));
  }

  /// Unknown buffers are reported elsewhere, by whoever runs the plan.
  Where where(const std::string& name) const {
    const auto found = std::ranges::find(plan_.buffers, name, &Buffer::name);
    return found == plan_.buffers.end() ? Where::device : found->where;
  }

  const Plan& plan_;
  std::map<std::string, const Step*> all_labels_, before_;
  std::vector<Texture> uploaded_;
  std::map<int, bool> is_launch_last_;  ///< by stream
  std::string twice_;
};

}  // namespace

std::string plan_fault(const Plan& plan) {
  return PlanCheck(plan).run();
}

}  // namespace warpwright
