// Textures of a job: reading them, seeing to them, and making those of a plan.
#pragma once

#include <string>
#include <vector>

#include "kernels/job/lowering.hpp"

namespace warpwright::job {

/// Whether it is the type of a texture object: cudaTextureObject_t or CUtexObject.
bool is_texture_type(const std::string& type);

/// "a texture: pass it as {"texture": "BUFFER", "width": ..., ...}", for whoever passes something else.
std::string how_to_pass_a_texture();

/// Reads `{"texture": "image", "width": "columns", "height": "rows", "filter": "linear", ...}`.
JobTexture job_texture_of(const Node& node);

/// Throws JobError at `place` where no texture can be made of that buffer, whatever its extents are.
void check_texture(const JobTexture& given, const JobBuffer& buffer, const Node& place);

/// That of a plan, in which the buffer may have another name.
Texture planned_texture(const JobTexture& given, const Job& job, const Renamed& renamed, const Names& names);

/// Why a texture of the steps has not the extents that they ask for: "the texture of image is 0x4, and its texels ...";
/// empty where all have.
std::string texture_fault(const Job& job, const std::vector<JobStep>& steps, const Names& names);

/// The copies into the arrays of the textures that these steps take, not timed.
std::vector<Step> texture_uploads(const std::vector<Step>& steps);

}  // namespace warpwright::job
