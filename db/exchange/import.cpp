// Imports recordings of other tuners into a database.
#include "db/exchange/import.hpp"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

#include "db/exchange/recording.hpp"
#include "db/store/rows.hpp"
#include "kernels/core/boards.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"

extern char** environ;

namespace warpwright::db {
namespace {

std::string name_of(const std::filesystem::path& path) {
  return printable(path.string());
}

// The output of `gzip -dc FILE`.
std::string gunzipped(const std::filesystem::path& path) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0)
    throw Error(fmt::format("{}: no pipe could be opened to unpack it: close other programs.", name_of(path)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::array<std::string, 4> words{"gzip", "-dc", "--", path.string()};
  std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "gzip", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  std::array<char, 65536> part{};
  for (ssize_t size = 0; failed == 0 && (size = read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  close(ends[0]);
  int status = 0;
  if (failed == 0) waitpid(child, &status, 0);
  if (failed != 0 || status != 0)
    throw Error(fmt::format("{}: gzip cannot unpack it: unpack it yourself and name the plain file.", name_of(path)));
  return text;
}

// Converts "2023-01-26 01:05:09.730633+00:00" to the database's time format; returns `otherwise` for other text.
std::string time_of_day(const std::string& text, const std::string& otherwise) {
  constexpr std::string_view like = "dddd-dd-dd dd:dd:dd.ddd";
  if (text.size() < like.size()) return otherwise;
  for (std::size_t i = 0; i < like.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (like[i] == 'd' ? !digit : text[i] != like[i] && !(like[i] == ' ' && text[i] == 'T')) return otherwise;
  }
  return text.substr(0, 10) + "T" + text.substr(11, 12) + "Z";
}

// The board with that name: from the database, or else from the table of known boards.
Board board_of(const Store& store, const std::string& model, const std::string& file) {
  for (const Board& board : store.boards())
    if (bare_model(board.model) == bare_model(model)) return board;
  if (const std::optional<Board> known = known_board(model)) return *known;
  throw Error(model.empty() ? fmt::format("{}: does not name its board: give --board.", file)
                            : fmt::format("{}: the board '{}' is in no table: give --board with the name that `tune "
                                          "boards` has for it.",
                                          file, printable(model)));
}

// The kernel's name without its pattern, with only characters that neither globs nor shells interpret.
std::string word_of(const std::string& kernel) {
  std::string word = kernel.substr(kernel.rfind('/') + 1);
  for (char& c : word)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' && c != '.') c = '_';
  return word;
}

std::string params_text(const Json& params) {
  std::string text;
  for (const auto& [name, value] : params.items())
    text += fmt::format("{}.{} = {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.get<std::string>() : value.dump());
  return "{" + text + "}";
}

// Axes in the database's format: values that are not integers become labels.
std::string axes_text(const Json& params) {
  Json axes = Json::array();
  for (const auto& [name, values] : params.items()) {
    Json axis = {{"name", name}};
    const Json list = values.is_array() ? values : Json::array();
    const bool whole = std::ranges::all_of(list, [](const Json& value) { return value.is_number_integer(); });
    axis["values"] = whole ? list : Json::array();
    for (std::size_t i = 0; !whole && i < list.size(); ++i) {
      axis["values"].push_back(i);
      axis["labels"].push_back(list[i].is_string() ? list[i].get<std::string>() : list[i].dump());
    }
    axes.push_back(std::move(axis));
  }
  return axes.dump();
}

// Throws if a time is impossible.
void check_times(const Recording& recording, const Board& board, double least, const std::string& file) {
  std::size_t timed = 0, impossible = 0;
  double worst = 0;
  for (const Recorded& one : recording.results) {
    if (!one.time_us) continue;
    double shortest = *one.time_us;
    for (const double us : one.samples_us) shortest = std::min(shortest, us);
    if (!(shortest > 0) || shortest < least) worst = impossible++ == 0 ? shortest : std::min(worst, shortest);
    ++timed;
  }
  if (impossible == 0) return;
  throw Error(
      fmt::format("{}: {} of {} times are impossible, down to {:.3f} us where {} needs {:.3f} us: nothing was "
                  "imported, as what timed these timed them all. Record it again, or mend --bytes and --flops.",
                  file, impossible, timed, worst, printable(board.model), least));
}

// The session of a file, identified by the file's content.
Id session_of(Store& store, const std::string& text, const std::string& file, const Board& board) {
  Identity content("recording");
  content.add(text);
  const std::string uid = "imported-" + content.digest();
  for (const Session& session : store.sessions())
    if (session.uid == uid) return session.id;
  const Id id = store.begin_session(
      Session{.uid = uid, .command = "tunedb import " + file, .strategy = "imported", .target = board.arch});
  store.end_session(id, ending::complete);
  return id;
}

// Throws if the pattern already has a kernel of this name with other params.
void check_kernel(const Store& store, const std::string& pattern, const Recording& recording, const std::string& file) {
  std::set<std::string> names;
  for (const auto& [name, values] : recording.params.items()) names.insert(name);
  for (const Kernel& kernel : store.kernels()) {
    if (kernel.pattern != pattern) continue;
    std::set<std::string> known;
    for (const Json& axis : Json::parse(kernel.axes)) known.insert(axis.at("name").get<std::string>());
    if (known != names)
      throw Error(fmt::format("{}: {} is there already, with other params: give --name.", file, pattern));
  }
}

void add_notes(const Recording& recording, double least, Imported& imported) {
  if (least == 0)
    imported.notes.push_back("no time was held against what the board can do: --bytes or --flops say what it must do.");
  std::size_t said = 0, verified = 0;
  for (const Recorded& one : recording.results) {
    if (!one.time_us || !one.verified_ms) continue;
    ++said;
    if (*one.verified_ms > 0) ++verified;
  }
  if (said > 0 && verified < said)
    imported.notes.push_back(
        fmt::format("the answers of {} of {} timed configurations were never checked, the file "
                    "says.",
                    said - verified, said));
}

}  // namespace

std::optional<Board> known_board(std::string_view model) {
  const std::string bare = bare_model(model);
  for (const warpwright::Board& board : boards())
    if (bare_model(board.device.model) == bare)
      return Board{.model = std::string(model),
                   .arch = board.device.arch(),
                   .sm_count = board.device.sm_count,
                   .sm_clock_mhz = static_cast<double>(board.device.sm_clock_mhz),
                   .memory_bandwidth_gbs = board.device.memory_bandwidth_gbs,
                   .l2_bytes = board.device.l2_bytes,
                   .source = "table: " + board.source};
  return std::nullopt;
}

std::string text_of(const Imported& made) {
  return fmt::format("{} on {}: {} timed, {} failed, {} of them known", made.pattern, printable(made.board),
                     counted(static_cast<std::int64_t>(made.timed), "configuration"), made.failed, made.known);
}

std::string unpacked(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open() || std::filesystem::is_directory(path))
    throw Error(fmt::format("{}: cannot be read: name a file that is there.", name_of(path)));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.starts_with("\x1f\x8b") ? gunzipped(path) : text;
}

double least_us(const Board& board, double bytes, double operations) {
  constexpr double operations_a_clock = 256;  // of an SM
  const double beyond_cache = std::max(bytes - static_cast<double>(board.l2_bytes), 0.0);
  double least = 0;
  if (board.memory_bandwidth_gbs > 0) least = beyond_cache / (board.memory_bandwidth_gbs * 1e3);
  if (board.sm_count > 0 && board.sm_clock_mhz > 0)
    least = std::max(least, operations / (operations_a_clock * board.sm_count * board.sm_clock_mhz));
  return least;
}

Imported import_recording(Store& store, const std::filesystem::path& path, const ImportOptions& options) {
  const std::string file = name_of(path);
  const std::string text = unpacked(path);
  const Recording recording = read_recording(text, path.string());
  const Board board = board_of(store, options.board.empty() ? recording.board : options.board, file);
  const std::string name = word_of(options.name.empty() ? recording.kernel : options.name);
  if (name.empty()) throw Error(fmt::format("{}: does not name its kernel: give --name.", file));
  const Shape& shape = options.shape.empty() ? recording.shape : options.shape;
  if (shape.empty()) throw Error(fmt::format("{}: does not say its problem's size: give --size.", file));
  const double least = least_us(board, options.bytes, options.operations);
  check_times(recording, board, least, file);
  Imported imported{.pattern = "import:" + name, .board = board.model};
  add_notes(recording, least, imported);
  check_kernel(store, imported.pattern, recording, file);
  store.transaction([&] {
    const Id session = session_of(store, text, path.filename().string(), board);
    const std::string started = store.session(session).started_at;
    const Id board_id = board.id != 0 ? board.id : store.upsert(board);
    const Id kernel =
        store.upsert(Kernel{.pattern = imported.pattern, .kernel = name, .axes = axes_text(recording.params)});
    const Id problem = store.upsert(Problem{.pattern = imported.pattern,
                                            .types = "recorded",
                                            .shape = shape_text(shape),
                                            .data = "recorded",
                                            .bytes_read = options.bytes,
                                            .operations = options.operations});
    const auto trials_there = [&] {
      Statement rows(store.connection(), "SELECT count(*) FROM trial WHERE problem_id = ?");
      rows.bind(problem);
      rows.step();
      return static_cast<std::size_t>(rows.get<std::int64_t>(0));
    };
    const std::size_t before = trials_there();
    for (const Recorded& one : recording.results) {
      Trial trial{.configuration_id = store.upsert(Configuration{
                      .kernel_id = kernel, .params = params_text(one.params), .params_json = one.params.dump()}),
                  .problem_id = problem,
                  .board_id = board_id,
                  .session_id = session,
                  .created_at = time_of_day(one.created_at, started),
                  .target = board.arch,
                  .provenance = std::string(provenance::imported),
                  .verdict = one.verdict};
      trial.mode = recording.mode.empty() ? "recorded" : "recorded: " + recording.mode;
      trial.median_us = one.time_us;
      ++(one.time_us ? imported.timed : imported.failed);
      store.add_trial(trial, one.samples_us);
    }
    imported.known = recording.results.size() - (trials_there() - before);
  });
  return imported;
}

}  // namespace warpwright::db
