// What a job file says: one kernel in plain CUDA text, its space, its data and what is right.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/job/expression.hpp"
#include "kernels/job/node.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::job {

/// What the names of a job's patterns begin with.
inline constexpr std::string_view kPrefix = "job:";

/// A dimension of the problem; `macro` is what the text calls it where it is compiled in.
struct Extent {
  std::string name;
  std::string macro = {};
};

/// How a value reaches the text.
enum class Reach { unsaid, macro, template_argument, plan };

struct Param {
  std::string name;
  Axis axis;
  std::int64_t preferred = 0;
  Reach reach = Reach::unsaid;
  std::string macro = {};  ///< what the text calls it; its own name where nothing else is said
  Node place = {};
};

/// A condition with its name for people.
struct Rule {
  std::string name;
  Expression holds;
};

/// How a buffer is filled. `kind` is a word of generic data, or what the numbers belong to.
struct Data {
  enum class Kind { generic, index_below, row_offsets, between, steps, file } kind = Kind::generic;
  std::string word = {};  ///< of generic data, or the path of a file
  bool always = false;    ///< in every check, whatever kind of input it has
  Expression first = {}, second = {};
};

/// A buffer. Vectors are that many elements; `spelling` is the type that kernels see.
struct JobBuffer {
  std::string name;
  Role role = Role::in;
  ElementType element = ElementType::f32;
  int lanes = 1;
  std::string spelling = {};
  Expression count = {};    ///< of what `spelling` names
  std::string symbol = {};  ///< the __constant__ variable that holds it
  Data data = {};
  Node place = {};

  bool is_input() const { return role == Role::in || role == Role::inout; }
  bool is_output() const { return role == Role::out || role == Role::inout; }
};

/// A texture object of a buffer.
struct JobTexture {
  Texture texture = {};                 ///< what does not depend on the problem, nor on the buffer's type
  std::vector<Expression> extent = {};  ///< texels: width, height, depth, as many as it has
};

/// What is passed for one parameter: a buffer, a value, a struct of values, or a texture.
struct JobArgument {
  std::string buffer = {};
  Expression offset = {};  ///< elements of the buffer
  std::string type = {};   ///< of a value; empty: that of the parameter
  std::optional<Expression> value = {};
  std::vector<JobArgument> members = {};
  std::optional<JobTexture> texture = {};
  Node place = {};
};

/// A launch; or elements set to zero, or steps that are repeated.
struct JobStep {
  std::string kernel = {};
  std::optional<std::vector<std::string>> template_arguments = {};
  std::optional<std::vector<JobArgument>> arguments = {};
  std::array<Expression, 3> grid = {Expression::number(1), Expression::number(1), Expression::number(1)};
  std::array<Expression, 3> block = grid;
  Expression shared = {};
  bool cooperative = false;
  std::string zero = {};      ///< a buffer
  std::string function = {};  ///< of the host: an oracle's
  std::optional<Expression> repeat = {};
  std::vector<JobStep> steps = {};
  std::vector<std::pair<std::string, std::string>> swaps = {};
  Node place = {};
};

/// Where right answers come from.
struct Oracle {
  enum class Kind { default_configuration, steps, function, files } kind = Kind::default_configuration;
  std::vector<JobStep> steps = {};
  std::filesystem::path source = {};                   ///< of a function
  std::map<std::string, std::filesystem::path> files;  ///< by buffer
};

/// How far outputs may be off.
struct JobBound {
  enum class Kind { equal, bits, depth, guessed } kind = Kind::equal;
  Expression depth = {};
  bool of_results = false;  ///< depth is in units of the result, not of the terms that it is made of
  bool exact = true;        ///< small integers give results without any rounding
  double relative = 0, absolute = 0;
};

struct JobLaw {
  std::string name;
  std::string in, out;
  Node place = {};
};

/// What a problem asks of any kernel, where the buffers do not say it.
struct JobWork {
  std::optional<Expression> read = {}, written = {}, operations = {}, steps = {};
};

struct Job {
  std::string name;  ///< without the prefix
  std::string summary;
  std::filesystem::path file;                  ///< of the job
  std::filesystem::path source;                ///< the .cu
  std::vector<std::filesystem::path> include;  ///< folders of headers, besides the .cu file's own
  std::vector<Extent> extents;
  std::vector<Number> numbers;
  std::vector<Param> params;
  std::vector<Rule> constraints;
  std::map<std::string, Expression> defines;  ///< further macros of the text
  std::vector<JobBuffer> buffers;
  std::vector<JobStep> steps;
  std::vector<std::vector<std::int64_t>> shapes;  ///< tuned
  std::vector<std::vector<std::int64_t>> judged;  ///< small ones
  std::vector<Rule> takes;
  std::vector<std::string> inputs;
  Oracle oracle;
  JobBound bound;
  std::vector<JobLaw> laws;
  JobWork work;
  std::vector<Lenience> lenient;
  Node root;

  std::string pattern() const { return std::string(kPrefix) + name; }
};

/// The version of job files that is read and written: raised when a member goes, or means something else than before,
/// and then the versions before are still read (docs/stability.md).
inline constexpr std::int64_t kJobVersion = 1;

/// Reads a job file. Throws JobError with the file and line of what is wrong, and what to do.
Job read_job(const std::filesystem::path& file);

/// The same of a text; relative paths in it are those beside `file`.
Job parse_job(const std::string& text, const std::filesystem::path& file);

/// The element type, number of lanes and C++ name of a type as device code spells it: "float4", "unsigned", "size_t",
/// "half2". Nothing for an unknown one.
struct TypeWord {
  ElementType element = ElementType::f32;
  int lanes = 1;
  std::string spelling = {};
};
std::optional<TypeWord> type_word(std::string_view word);

}  // namespace warpwright::job
