// Fills a job's buffers with generic data, indices, ranges, or the contents of files.
#include "kernels/job/fills.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "kernels/core/hash.hpp"
#include "kernels/core/target.hpp"
#include "kernels/job/data.cuh"
#include "kernels/job/inputs.hpp"
#include "kernels/job/text/host_text.hpp"
#include "kernels/runtime/generate.cuh"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::job {
namespace {

/// The bytes of a file become device code, so files must not be large.
constexpr std::size_t kMostFileBytes = 1 << 20;

std::int64_t whole(const Expression& expression, const Names& names, const JobBuffer& buffer) {
  const Value value = expression.value(names);
  if (!is_whole(value)) buffer.place.fail(fmt::format("\"{}\" is no whole number", expression.text()));
  return static_cast<std::int64_t>(value);
}

/// Functions of one file have one text, which a program includes once.
std::string data_function_path(const Lowering& lowering, const std::string& buffer) {
  return fmt::format("{}/data_{}.host.cpp", lowering.job.name, hash_text(lowering.data.at(buffer).text).substr(0, 8));
}

/// The buffers of the call have names of their own, since other calls of the plan have some too.
Fill function_fill(const Lowering& lowering, const Problem& problem, const JobBuffer& of, const Names& names) {
  FillFunction function{.buffers = {}, .filled = {}, .call = {}};
  Renamed renamed;
  for (const JobArgument& argument : *of.data.function.call.arguments) {
    const std::string& name = argument.buffer.empty() && argument.value ? argument.value->text() : argument.buffer;
    const JobBuffer* const buffer = find_buffer(lowering.job, name);
    if (buffer == nullptr || renamed.contains(name)) continue;
    function.buffers.push_back(plan_buffer(*buffer, names));
    function.buffers.back().name = renamed[name] = fmt::format("{}.for.{}", name, of.name);
  }
  function.filled = renamed.at(of.name);
  // Fills are used while the pattern that made them, which owns the lowering, is there.
  function.call = [&lowering, problem, renamed, &of, buffers = function.buffers](std::uint64_t seed) {
    const Point point = lowering.preferred();
    HostWork work = host_call(of.data.function.call, lowering.data.at(of.name), data_function_path(lowering, of.name),
                              {.lowering = lowering,
                               .point = point,
                               .problem = problem,
                               .device = host_device(),
                               .renamed = renamed,
                               .further = {{kSeed, static_cast<Value>(seed % (1ULL << 31U))}}});
    work.function = fmt::format("warpwright::job::seeded<{}>::call", work.function);
    work.arguments.insert(work.arguments.begin(), value(static_cast<std::uint32_t>(seed)));
    for (const Buffer& buffer : buffers)
      if (buffer.count > 0) work.accesses.push_back({.buffer = buffer.name, .bytes = buffer.bytes(), .writes = true});
    return work;
  };
  return {.source = {}, .functor = {}, .part_on_host = {}, .function = std::move(function)};
}

/// The numbers that the text compares with, and those of the problem.
Fill cutoffs_fill(const Lowering& lowering, const JobBuffer& buffer, const Names& names) {
  std::vector<double> values = lowering.cutoffs;
  for (const Number& number : lowering.job.numbers) values.push_back(static_cast<double>(names.at(number.name)));
  return with_storage_of(buffer.element, [&]<class T>(T) {
    among<T> fill{};
    for (const double value : values)
      if (fill.count < among<T>::most) fill.values[fill.count++] = value;
    return make_fill("kernels/job/data.cuh", fmt::format("warpwright::job::among<{}>", storage_name(buffer.element)),
                     fill);
  });
}

Fill fill_of(const Lowering& lowering, const Problem& problem, const JobBuffer& buffer, const Names& names,
             const std::string& generic) {
  const Job& job = lowering.job;
  const Data& data = buffer.data;
  const std::string type(storage_name(buffer.element));
  if (data.kind == Data::Kind::generic)
    return generic == kCutoffs ? cutoffs_fill(lowering, buffer, names) : generic_fill(buffer.element, generic);
  if (data.kind == Data::Kind::function) return function_fill(lowering, problem, buffer, names);
  if (data.kind == Data::Kind::file) {
    return {.source = file_source(job, data.word),
            .functor = {.type = file_functor(job, data.word, buffer.element), .bytes = Bytes(1)},
            .part_on_host = [from = job.file, word = data.word, size = size_of(buffer.element)](
                                std::int64_t begin, std::int64_t end, std::int64_t, std::uint64_t) {
              const Bytes file = file_bytes(from, word);
              Bytes bytes(static_cast<std::size_t>(end - begin) * size);  // zeros after the file
              const std::size_t first = std::min(static_cast<std::size_t>(begin) * size, file.size());
              std::copy_n(file.data() + first, std::min(bytes.size(), file.size() - first), bytes.data());
              return bytes;
            }};
  }
  return with_storage_of(buffer.element, [&]<class T>(T) {
    const std::string generate = "kernels/runtime/generate.cuh";
    const std::string own = "kernels/job/data.cuh";
    if constexpr (std::is_integral_v<T>) {
      if (data.kind == Data::Kind::index_below)
        return make_fill(generate, fmt::format("warpwright::generate::index_below<{}>", type),
                         generate::index_below<T>{whole(data.first, names, buffer)});
      if (data.kind == Data::Kind::row_offsets)
        return make_fill(generate, fmt::format("warpwright::generate::row_offsets<{}>", type),
                         generate::row_offsets<T>{whole(data.first, names, buffer)});
    }
    const auto first = static_cast<double>(data.first.value(names));
    const auto second = static_cast<double>(data.second.value(names));
    if (data.kind == Data::Kind::between)
      return make_fill(own, fmt::format("warpwright::job::between<{}>", type), between<T>{first, second});
    if (data.kind == Data::Kind::steps)
      return make_fill(own, fmt::format("warpwright::job::in_steps<{}>", type), in_steps<T>{first, second});
    buffer.place.fail(fmt::format("indices are integers, and {} is {}", buffer.name, buffer.spelling));
  });
}

}  // namespace

std::vector<Fill> fills_of(const Lowering& lowering, const Problem& problem, const std::string& kind) {
  const Names names = names_of(lowering.job, problem);
  std::vector<Fill> fills;
  for (const JobBuffer& buffer : lowering.job.buffers) {
    if (!buffer.is_input()) continue;
    const std::string own = buffer.data.word.empty() ? "uniform" : buffer.data.word;
    fills.push_back(fill_of(lowering, problem, buffer, names, buffer.data.always || kind == kGiven ? own : kind));
  }
  return fills;
}

Bytes file_bytes(const std::filesystem::path& job_file, const std::string& file) {
  const std::filesystem::path path = job_file.parent_path() / file;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw JobError(
        fmt::format("{}: {} cannot be read: paths are those beside the job", job_file.string(), path.string()));
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  Bytes bytes(content.size());
  if (!content.empty()) std::memcpy(bytes.data(), content.data(), content.size());
  return bytes;
}

std::string file_source(const Job& job, const std::string& file) {
  return fmt::format("{}/{}.cuh", job.name, hash_text(file).substr(0, 8));
}

std::string file_functor(const Job& job, const std::string& file, ElementType type) {
  return fmt::format("warpwright::job::file_{}_{}<{}>", job.name, hash_text(file).substr(0, 8), storage_name(type));
}

void read_data_functions(Lowering& lowering) {
  std::map<std::filesystem::path, std::vector<std::string>> functions;
  const auto for_each = [&](auto visit) {
    for (const JobBuffer& buffer : lowering.job.buffers)
      if (buffer.data.kind == Data::Kind::function) visit(buffer.name, buffer.data.function);
  };
  for_each([&](const std::string&, const HostFunction& one) { functions[one.source].push_back(one.call.function); });
  for_each([&](const std::string& buffer, const HostFunction& one) {
    lowering.data[buffer] = host_text(one.source, lowering.job.include, one.call.function, functions[one.source]);
  });
}

SourceTree data_functions(const Lowering& lowering) {
  SourceTree sources;
  for (const auto& [buffer, host] : lowering.data)
    sources[data_function_path(lowering, buffer)] = "#include \"kernels/job/text/seeded.cuh\"\n" + host.text;
  return sources;
}

SourceTree data_sources(const Job& job) {
  SourceTree sources;
  std::vector<std::string> files;
  for (const JobBuffer& buffer : job.buffers)
    if (buffer.data.kind == Data::Kind::file) files.push_back(buffer.data.word);
  for (const auto& [buffer, path] : job.oracle.files)
    files.push_back(path.lexically_relative(job.file.parent_path()).string());
  for (const std::string& file : files) {
    const Bytes bytes = file_bytes(job.file, file);
    if (bytes.size() > kMostFileBytes)
      throw JobError(
          fmt::format("{}: {} has {} bytes, and data from files may have {}: take generic data for larger ones",
                      job.file.string(), file, bytes.size(), kMostFileBytes));
    const std::string name = fmt::format("{}_{}", job.name, hash_text(file).substr(0, 8));
    std::string text = fmt::format(
        "// The bytes of {}.\n#pragma once\n#include \"kernels/runtime/generate.cuh\"\n"
        "namespace warpwright::job {{\n"
        "__device__ const unsigned char bytes_{}[] = {{",
        file, name);
    for (const std::byte byte : bytes) text += fmt::format("{},", std::to_integer<unsigned>(byte));
    text += fmt::format(
        "0}};\n"
        "template <class T>\nstruct file_{0} {{\n"
        "  __host__ __device__ T operator()(unsigned long long, long long index, long long) const {{\n"
        "    T element{{}};\n    unsigned char* const to = reinterpret_cast<unsigned char*>(&element);\n"
        "    for (unsigned i = 0; i < sizeof(T); ++i) {{\n"
        "      const unsigned long long at = static_cast<unsigned long long>(index) * sizeof(T) + i;\n"
        "      to[i] = at < {1}ull ? bytes_{0}[at] : 0;\n    }}\n    return element;\n  }}\n}};\n}}\n",
        name, bytes.size());
    sources[file_source(job, file)] = text;
  }
  return sources;
}

}  // namespace warpwright::job
