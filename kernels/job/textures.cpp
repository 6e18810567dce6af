// Reads and checks the textures of a job, and makes those of its plan.
#include "kernels/job/textures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "kernels/job/lowering.hpp"
#include "kernels/job/reader.hpp"

namespace warpwright::job {
namespace {

constexpr std::array<const char*, 3> kExtents{"width", "height", "depth"};

/// The index of the member's word in the list; the first if there is no member.
template <std::size_t kCount>
std::size_t word_among(const Node& node, const std::string& name, const std::array<const char*, kCount>& words) {
  const Node* const found = node.find(name);
  if (found == nullptr) return 0;
  const std::string& text = as_text(*found, fmt::format("\"{}\"", name));
  for (std::size_t i = 0; i < kCount; ++i)
    if (text == words[i]) return i;
  found->fail(fmt::format("a texture has no \"{}\" \"{}\": it is one of {}", name, text, fmt::join(words, ", ")));
}

/// The texture for these names.
Texture sized(const JobTexture& given, const Job& job, const Names& names) {
  const JobBuffer& buffer = *find_buffer(job, given.texture.buffer);
  Texture made = given.texture;
  made.type = buffer.element;
  made.channels = buffer.lanes;
  for (std::size_t i = 0; i < given.extent.size(); ++i)
    made.extent.at(i) = static_cast<std::int64_t>(given.extent[i].value(names));
  return made;
}

}  // namespace

bool is_texture_type(const std::string& type) {
  return type == "cudaTextureObject_t" || type == "CUtexObject";
}

std::string how_to_pass_a_texture() {
  return "a texture: pass it as {\"texture\": \"BUFFER\", \"width\": ..., \"height\": ..., \"filter\": \"point\"}";
}

JobTexture job_texture_of(const Node& node) {
  only(node, "a texture", {"texture", "width", "height", "depth", "memory", "filter", "address", "normalized", "read"});
  JobTexture made;
  made.texture.buffer = as_text(*node.find("texture"), "\"texture\"");
  (void)needed(node, "width", "texels of a row, e.g. \"columns\"");
  for (const char* name : kExtents) {
    const Node* const extent = node.find(name);
    if (extent == nullptr) break;
    made.extent.push_back(as_expression(*extent, fmt::format("\"{}\"", name)));
  }
  if (made.extent.size() == 1 && node.find("depth") != nullptr)
    node.find("depth")->fail("a texture with a \"depth\" has a \"height\" too");
  // Linear memory is for tex1Dfetch, arrays are for tex1D, tex2D and tex3D.
  constexpr std::array<const char*, 2> kMemory{"linear", "array"};
  const bool is_row = made.extent.size() == 1;
  made.texture.is_array = node.find("memory") == nullptr ? !is_row : word_among(node, "memory", kMemory) == 1;
  constexpr std::array<const char*, 2> kReads{"element", "normalized"};
  made.texture.filter = static_cast<Texture::Filter>(word_among(node, "filter", texture_filters));
  made.texture.address = static_cast<Texture::Address>(word_among(node, "address", texture_addresses));
  made.texture.normalized_values = word_among(node, "read", kReads) == 1;
  if (const Node* normalized = node.find("normalized"))
    made.texture.normalized_coordinates = as_bool(*normalized, "\"normalized\"");
  return made;
}

void check_texture(const JobTexture& given, const JobBuffer& buffer, const Node& place) {
  if (buffer.role != Role::in || !buffer.symbol.empty())
    place.fail(
        fmt::format("there is a texture of {}, which is no buffer that is \"in\": a texture shows what was "
                    "there before the first launch",
                    buffer.name));
  Texture least = given.texture;
  least.type = buffer.element;
  least.channels = buffer.lanes;
  least.extent = {1, given.extent.size() > 1 ? 1 : 0, given.extent.size() > 2 ? 1 : 0};
  if (const std::string fault = fault_of(least); !fault.empty()) place.fail(fault);
}

Argument planned_texture(const JobArgument& given, const Parameter* parameter, const StepRequest& request,
                         const Names& names) {
  const std::string& buffer = given.texture->texture.buffer;
  if (parameter == nullptr)
    given.place.fail(fmt::format("a function of the host reads no texture: pass the buffer {} itself", buffer));
  if (parameter->is_pointer || !is_texture_type(parameter->type))
    given.place.fail(fmt::format("there is a texture of {}, and the parameter {} is {}{}, not cudaTextureObject_t",
                                 buffer, parameter->name, parameter->type, parameter->is_pointer ? "*" : ""));
  Texture made = sized(*given.texture, request.lowering.job, names);
  if (const auto found = request.renamed.find(buffer); found != request.renamed.end()) made.buffer = found->second;
  return TextureArgument{made};
}

std::string texture_fault(const Job& job, const JobStep& step, const Names& names) {
  if (!step.arguments) return {};
  for (const JobArgument& argument : *step.arguments) {
    if (!argument.texture) continue;
    const std::string& buffer = argument.texture->texture.buffer;
    Value texels = 1;
    for (std::size_t i = 0; i < argument.texture->extent.size(); ++i) {
      const Expression& extent = argument.texture->extent[i];
      const Value value = extent.value(names);
      if (!is_whole(value) || value < 1)
        return fmt::format("the {} of the texture of {} is {} (\"{}\")", kExtents.at(i), buffer,
                           static_cast<double>(value), extent.text());
      texels *= value;
    }
    const Value held = find_buffer(job, buffer)->count.value(names);
    if (texels > held)
      return fmt::format("the texture of {} has {} texels, and the buffer {}", buffer, static_cast<double>(texels),
                         static_cast<double>(held));
    if (std::string fault = fault_of(sized(*argument.texture, job, names)); !fault.empty()) return fault;
  }
  return {};
}

std::vector<Step> texture_uploads(const std::vector<Step>& steps) {
  std::vector<Step> uploads;
  for (const Texture& texture : textures_of({.buffers = {}, .steps = steps}))
    if (texture.is_array) uploads.push_back({.what = TextureUpload{texture}, .timed = false});
  return uploads;
}

}  // namespace warpwright::job
