// Textures of a job: reading and checking them, and making those of a plan.
#pragma once

#include <string>
#include <vector>

#include "kernels/job/lowering.hpp"

namespace warpwright::job {

/// Whether it is the type of a texture object: cudaTextureObject_t or CUtexObject.
bool is_texture_type(const std::string& type);

/// "a texture: pass it as {"texture": "BUFFER", "width": ..., ...}", for messages on other arguments.
std::string how_to_pass_a_texture();

/// Reads `{"texture": "image", "width": "columns", "height": "rows", "filter": "linear", ...}`.
JobTexture job_texture_of(const Node& node);

/// Throws JobError at `place` if a texture of that buffer is impossible, whatever its extents are.
void check_texture(const JobTexture& given, const JobBuffer& buffer, const Node& place);

/// The argument of the plan for that parameter; null: of a function on the CPU. Throws JobError at the argument's place
/// if the parameter is no texture.
Argument planned_texture(const JobArgument& given, const Parameter* parameter, const StepRequest& request,
                         const Names& names);

/// What is wrong with the extents of a texture of the step: "the texture of image is 0x4, and its texels ...".
std::string texture_fault(const Job& job, const JobStep& step, const Names& names);

/// Uploads of the textures that these steps use; not timed.
std::vector<Step> texture_uploads(const std::vector<Step>& steps);

}  // namespace warpwright::job
