// Compiles device code for the simulator: one shared object with many kernel instances.
#include "kernels/runtime/simulator/module/compile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "kernels/core/hash.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/cubin/elf_file.hpp"
#include "kernels/runtime/simulator/module/compiler_log.hpp"
#include "kernels/runtime/simulator/module/contraction.hpp"
#include "kernels/runtime/simulator/module/debug_info.hpp"
#include "kernels/runtime/simulator/module/header_index.hpp"
#include "kernels/runtime/simulator/module/inline_ptx.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::simulator {
namespace {

constexpr int oldest_compiler = 12;

// -Og keeps a vector access in one piece and a hook at every access; no finite loops, since a kernel may spin on
// memory; indices of local arrays and signed arithmetic are checked; no unique symbols, so that modules stay apart and
// unload; without variable tracking it compiles a third faster. Locals that nothing initialises hold bytes of
// uninitialised_byte, and the log names what the compiler knows of them.
const std::vector<std::string>& flags() {
  static const std::vector<std::string> list = {
      "-std=c++20",
      "-fPIC",
      "-Og",
      "-Wuninitialized",
      "-Wmaybe-uninitialized",
      "-g1",
      "-gdwarf-5",
      "-gz=none",
      "-fno-var-tracking",
      "-fsanitize=thread",
      "-fsanitize-coverage=trace-pc,trace-cmp",
      "-ftrivial-auto-var-init=pattern",
      "--param=tsan-distinguish-volatile=1",
      "--param=tsan-instrument-func-entry-exit=0",
      "-fno-finite-loops",
      "-fno-gnu-unique",
      "-fvisibility=hidden",
      "-fno-exceptions",
      "-fno-rtti",
      "-fno-threadsafe-statics",
      "-fno-extern-tls-init",
      "-Wno-attributes",
      "-fno-asynchronous-unwind-tables",
      "-fno-omit-frame-pointer",
      "-fno-stack-protector",
      "-fstack-clash-protection",
      "-fsanitize=bounds-strict,object-size,shift-exponent,signed-integer-overflow",
      "-fno-strict-aliasing",
      "-ffp-contract=off",
  };
  return list;
}

// The table of offsets stays writable, because the simulator stores the positions of a launch's shared variables there.
const std::vector<std::string>& link_flags() {
  static const std::vector<std::string> list = {"-shared", "-nostdlib", "-Wl,-Bsymbolic,-z,defs,-z,norelro",
                                                "-lm",     "-lc",       "-lgcc"};
  return list;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw EnvironmentFault(fmt::format("{} cannot be written ({}): make room there, or name another folder with TMPDIR",
                                       path.string(), std::strerror(errno)));
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> names;
  constexpr std::string_view mark = "#include \"";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const auto begin = at + mark.size();
    names.push_back(text.substr(begin, text.find('"', begin) - begin));
  }
  return names;
}

/// The names in the request itself; some may be built-ins.
std::vector<std::string> spelt_by(const CompileRequest& request) {
  std::vector<std::string> names = request.entries;
  for (const auto& [header, definitions] : request.definitions)
    for (const auto& [name, text] : definitions) names.push_back(text);
  return names;
}

/// Adds the file of that name and its includes, if the request has them.
void add_with_includes(const CompileRequest& request, const std::string& name, std::set<std::string>& files) {
  const auto source = request.sources.find(name);
  if (source == request.sources.end() || !files.insert(name).second) return;
  for (const auto& include : includes_of(source->second)) add_with_includes(request, include, files);
}

struct Compiler {
  std::string path;       ///< empty: none
  std::string identity;   ///< its version and the C library's
  std::string complaint;  ///< why there is none; empty if there is one
};

Compiler examine(const std::string& path) {
  const auto run = run_process({"sh", "-c", "echo '#include <features.h>' | \"$0\" -x c++ -dM -E -", path}, "/",
                               std::chrono::seconds(20));
  const auto value_of = [&](std::string_view macro) {
    const std::string mark = fmt::format("#define {} ", macro);
    const auto at = run.output.find(mark);
    if (at == std::string::npos) return std::string();
    const auto begin = at + mark.size();
    return run.output.substr(begin, run.output.find('\n', begin) - begin);
  };
  const auto unfit = [](std::string complaint) {
    return Compiler{.path = "", .identity = "", .complaint = std::move(complaint)};
  };
  const std::string refused = refused_by_system(run.output);
  if (run.timed_out || run.ended_outside || !refused.empty())
    throw EnvironmentFault(fmt::format("the host compiler {} cannot run here ({}): see free memory and ulimit -a", path,
                                       run.timed_out       ? "it does not answer"
                                       : run.ended_outside ? "it was killed"
                                                           : refused));
  if (!run.ok())
    return unfit(
        fmt::format("the host compiler {} does not run: {}", path, run.output.substr(0, run.output.find('\n'))));
  if (!value_of("__clang__").empty() || std::atoi(value_of("__GNUC__").c_str()) < oldest_compiler)
    return unfit(fmt::format("the host compiler {} is {}, and the simulator needs g++ {} or newer", path,
                             value_of("__VERSION__"), oldest_compiler));
  return {.path = path,
          .identity = fmt::format("{} {} glibc {}.{} {}", path, value_of("__VERSION__"), value_of("__GLIBC__"),
                                  value_of("__GLIBC_MINOR__"), value_of("__x86_64__").empty() ? "" : "x86_64"),
          .complaint = ""};
}

Compiler find_compiler() {
  const std::string advice = fmt::format(
      "install the package g++ (version {} or newer), or name a compiler in WARPWRIGHT_HOST_CXX", oldest_compiler);
  if (const char* const chosen = std::getenv("WARPWRIGHT_HOST_CXX"); chosen != nullptr && *chosen != '\0') {
    Compiler found = examine(chosen);
    if (found.path.empty()) found.complaint += "; " + advice;
    return found;
  }
  for (const char* name : {"c++", "g++", "g++-14", "g++-13", "g++-12"}) {
    if (Compiler found = examine(name); !found.path.empty()) return found;
  }
  return {.path = "", .identity = "", .complaint = "there is no host compiler on the PATH: " + advice};
}

const Compiler& compiler() {
  static const Compiler found = find_compiler();
  return found;
}

/// Definitions of what the object file declares as `extern __shared__ T name[]`. They all are one array of no size, at
/// an offset of its own. Empty if there are none.
std::string dynamic_shared_memory(const std::filesystem::path& object) {
  const auto bytes = bytes_of_file(object);
  std::string labels;
  for (const auto& symbol : symbols_of(sections_of(bytes))) {
    if (symbol.type() == STT_TLS && symbol.entry.st_shndx == SHN_UNDEF)
      labels += fmt::format("  .globl {0}\n  .hidden {0}\n  .type {0}, @object\n  .size {0}, 0\n{0}:\n", symbol.name);
  }
  if (labels.empty()) return labels;
  return "  .section .note.GNU-stack,\"\",@progbits\n  .section .tbss,\"awT\",@nobits\n" + labels + "  .zero 1\n";
}

/// Writes the files that the request's headers need into the folder, and returns their names.
std::set<std::string> write_sources(const CompileRequest& request, const std::filesystem::path& folder) {
  std::set<std::string> files;
  for (const auto& header : request.headers) add_with_includes(request, header, files);
  for (const auto& header : needed_built_ins(request.sources, files, spelt_by(request)))
    add_with_includes(request, header, files);
  const std::set<std::string> device_files = files;
  for (const auto& [name, header] : header_replacements(request.sources)) {
    const std::string mark = '<' + name + '>';
    const bool is_asked_for = std::any_of(device_files.begin(), device_files.end(), [&](const std::string& file) {
      return request.sources.at(file).find(mark) != std::string::npos;
    });
    if (!is_asked_for) continue;
    add_with_includes(request, header, files);
    write_file(folder / name, fmt::format("#include \"{}\"\n", header));
  }
  for (const auto& file : files) {
    const std::string& text = request.sources.at(file);
    const std::string original = original_path(file, text);
    write_file(folder / original, text);
    if (original != file) write_file(folder / file, with_modelled_ptx(text));
  }
  return files;
}

/// Runs the compiler in the folder of its sources, where its own files go too.
CompileResult run_compiler(const CompileRequest& request, const std::filesystem::path& folder,
                           const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"env", "LC_ALL=C", "TMPDIR=" + folder.string(), compiler().path};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ProcessResult run = run_process(command, folder, request.time_limit);
  if (run.stopped) throw EnvironmentFault("the host compiler was stopped from outside (SIGSTOP): let it run");
  if (run.ended_outside)
    throw EnvironmentFault("the host compiler was killed from outside: see free memory and ulimit -a");
  if (run.timed_out)
    return {CompileStatus::timed_out, fmt::format("the compiler took longer than {} s", request.time_limit.count())};
  if (run.ok()) return {CompileStatus::ok, run.output};
  if (const std::string refused = refused_by_system(run.output); !refused.empty())
    throw EnvironmentFault(fmt::format(
        "the host compiler fails on this machine: {}: see df (TMPDIR names the folder), free memory and ulimit -a",
        refused));
  return {is_about_source(run.output) ? CompileStatus::failed : CompileStatus::broken, run.output};
}

/// Whether a #line directive of a source names the source itself. The compiler would quote the wrong line for it.
bool has_lines_of_its_name(const CompileRequest& request) {
  return std::ranges::any_of(request.headers, [&](const std::string& header) {
    const auto source = request.sources.find(header);
    return source != request.sources.end() &&
           source->second.find(fmt::format("\n#line 1 \"{}\"\n", header)) != std::string::npos;
  });
}

/// Compiles the text as module.cpp in the folder of its sources.
CompileResult compile_text(const CompileRequest& request, const std::filesystem::path& folder, const std::string& text,
                           const std::vector<std::string>& arguments) {
  write_file(folder / "module.cpp", text);
  std::vector<std::string> all = {"-fdebug-prefix-map=" + folder.string() + "=.", "-I.", "module.cpp"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  if (has_lines_of_its_name(request)) all.emplace_back("-fno-diagnostics-show-caret");
  return run_compiler(request, folder, all);
}

}  // namespace

std::string compiler_identity() {
  return compiler().path.empty() ? "" : compiler().identity;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string no_compiler() {
  return compiler().complaint;
}

std::string host_compiler() {
  return compiler().path;
}

std::string toolchain_fingerprint() {
  if (compiler().path.empty()) return "";
  // The text that is generated around device code counts too: if it changes, modules change.
  const std::string frame =
      translation_unit({.entries = {"entry"}, .constants = {"constant"}}) + source_texts({}, {"file"}) +
      with_modelled_ptx("asm(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(a) : \"r\"(b));") +
      with_contractions(
          "\tmulss\t(%rax), %xmm1\n\tmulss\t%xmm2, %xmm3\n\taddss\t%xmm1, %xmm0\n\tsubss\t%xmm4, %xmm3\n");
  return fmt::format("{}; {}; {}; interface {}; frame {}", compiler_identity(), fmt::join(flags(), " "),
                     fmt::join(link_flags(), " "), interface_version, hash_text(frame));
}

std::string translation_unit(const CompileRequest& request) {
  std::set<std::string> files;
  for (const auto& header : request.headers) add_with_includes(request, header, files);
  std::string text = fmt::format("#define WARPWRIGHT_HOST_TARGET 1\n#define __CUDA_ARCH__ {}0\n", request.architecture);
  for (const auto& header : needed_built_ins(request.sources, files, spelt_by(request)))
    text += fmt::format("#include \"{}\"\n", header);
  const bool spells_asm_otherwise = std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return !is_cpu_model(file) && request.sources.at(file).find("__asm") != std::string::npos;
  });
  // Comes before device code, so that it does not see macros of device code.
  text += "#include \"kernels/runtime/cpu_model/module.cuh\"\n";
  // Not for headers of the C library, which use the word as a name.
  if (spells_asm_otherwise) text += "#include \"kernels/runtime/device.cuh\"\n#define __asm__ asm\n#define __asm asm\n";
  for (const auto& header : request.headers) {
    const auto known = request.definitions.find(header);
    text += include_lines(request.sources, header, known == request.definitions.end() ? Definitions() : known->second);
  }
  if (spells_asm_otherwise) text += "#undef __asm__\n#undef __asm\n";
  text +=
      "extern \"C\" __attribute__((visibility(\"default\"), WARPWRIGHT_UNTRACED))\n"
      "const warpwright::simulator::ModuleTable* warpwright_module() {\n"
      "  using warpwright::simulator::entry;\n"
      "  static const warpwright::simulator::ModuleEntry entries[] = {\n";
  for (const auto& entry : request.entries) text += fmt::format("    entry({}, &{}),\n", quoted(entry), entry);
  text += "    {}};\n  static const warpwright::simulator::ModuleConstant constants[] = {\n";
  for (const auto& constant : request.constants) {
    text += fmt::format("    {{{}, (void*)&{}, sizeof({})}},\n", quoted(constant), constant, constant);
  }
  text += fmt::format(
      "    {{}}}};\n"
      "  static const warpwright::simulator::ModuleTable table = {{warpwright::simulator::interface_version, {}, {}, "
      "entries,\n"
      "                                                     constants, &warpwright::simulator::runtime,\n"
      "                                                     &warpwright::simulator::watch,\n"
      "                                                     __start_warpwright_contractions,\n"
      "                                                     __stop_warpwright_contractions}};\n"
      "  return &table;\n}}\n",
      request.entries.size(), request.constants.size());
  return text;
}

CompileResult compile(const CompileRequest& request, const std::filesystem::path& output) {
  if (compiler().path.empty()) return {CompileStatus::no_compiler, compiler().complaint};
  const TemporaryFolder folder(std::filesystem::absolute(output).parent_path());
  CompileRequest all = request;
  all.headers.push_back("kernels/runtime/cpu_model/module.cuh");
  const std::string text = translation_unit(request) + source_texts(request.sources, write_sources(all, folder.path()));
  std::vector<std::string> arguments = flags();
  if (request.contraction)
    arguments.insert(arguments.end(), {"-S", "-o", "module.s"});
  else
    arguments.insert(arguments.end(), {"-c", "-o", "module.o"});
  const CompileResult compiled = compile_text(request, folder.path(), text, arguments);
  if (!compiled.ok()) return {compiled.status, compiled.log, missing_header(request.sources, compiled.log)};
  if (request.contraction) {
    write_file(folder.path() / "module.s", with_contractions(text_of(folder.path() / "module.s")));
    const CompileResult assembled = run_compiler(request, folder.path(), {"-c", "module.s", "-o", "module.o"});
    if (!assembled.ok()) return {CompileStatus::broken, compiled.log + assembled.log};
  }

  std::vector<std::string> command = {"module.o", "-o", "module.so"};
  if (const std::string dynamic = dynamic_shared_memory(folder.path() / "module.o"); !dynamic.empty()) {
    write_file(folder.path() / "dynamic.s", dynamic);
    command.emplace_back("dynamic.s");
  }
  // Libraries come after the files that need them.
  command.insert(command.end(), link_flags().begin(), link_flags().end());
  CompileResult linked = run_compiler(request, folder.path(), command);
  if (!linked.ok()) return {linked.status, compiled.log + linked.log};
  std::filesystem::rename(folder.path() / "module.so", output);
  return compiled;
}

CompileResult compile_shared_object(const CompileRequest& request, const std::string& text,
                                    const std::vector<std::string>& flags, const std::filesystem::path& output) {
  if (compiler().path.empty()) return {CompileStatus::no_compiler, compiler().complaint};
  const TemporaryFolder folder(std::filesystem::absolute(output).parent_path());
  write_sources(request, folder.path());
  std::vector<std::string> arguments = flags;
  arguments.insert(arguments.end(), {"-o", "module.so"});
  CompileResult compiled = compile_text(request, folder.path(), text, arguments);
  if (compiled.ok()) std::filesystem::rename(folder.path() / "module.so", output);
  return compiled;
}

}  // namespace warpwright::simulator
