// The parameters of compiled kernels, and whether the launches of a plan pass matching arguments.
#include "kernels/model/signature.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <set>

#include "kernels/model/program.hpp"

namespace warpwright {
namespace {

const std::set<std::string, std::less<>> kFundamentalWords{"signed", "unsigned", "char",   "short", "int",
                                                           "long",   "float",    "double", "bool",  "void"};

/// The usual name of a fundamental type from its words in any order; other types are unchanged.
std::string base_name(const std::vector<std::string>& words) {
  const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
  const bool fundamental =
      std::ranges::all_of(words, [](const auto& word) { return kFundamentalWords.contains(word); });
  if (words.empty() || !fundamental) return fmt::format("{}", fmt::join(words, " "));
  const std::string sign = count("unsigned") > 0 ? "unsigned " : "";
  if (count("char") > 0) return count("signed") > 0 ? "signed char" : sign + "char";
  for (const char* whole : {"float", "bool", "void"})
    if (count(whole) > 0) return whole;
  if (count("double") > 0) return count("long") > 0 ? "long double" : "double";
  if (count("short") > 0) return sign + "short";
  return sign + (count("long") == 0 ? "int" : count("long") == 1 ? "long" : "long long");
}

/// Parses a type, or a template argument.
class TypeReader {
 public:
  explicit TypeReader(std::string_view text) : text_(text) {}

  /// Parses the list up to the closing bracket, or to the end.
  std::vector<std::string> list() {
    std::vector<std::string> items;
    while (true) {
      std::string item = read_item();
      const bool more = !rest().empty() && rest().front() == ',';
      if (!item.empty() || more || !items.empty()) items.push_back(std::move(item));
      if (!more) return items;
      ++at_;
    }
  }

 private:
  struct Item {
    std::vector<std::string> words;
    bool is_const = false, is_volatile = false;
    std::string suffix;  ///< the rest after the name

    std::string text() const {
      return base_name(words) + (is_const ? " const" : "") + (is_volatile ? " volatile" : "") + suffix;
    }
  };

  std::string_view rest() const { return text_.substr(at_); }
  static bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; }

  std::string read_item() {
    Item item;
    while (!rest().empty() && std::string_view(",>)}]").find(rest().front()) == std::string_view::npos) {
      const char c = rest().front();
      if (is_of_word(c)) {
        take_word(item);
        continue;
      }
      ++at_;
      if (c == '<' || c == '{')
        (item.words.empty() ? item.suffix : item.words.back()) += bracketed(c);
      else if (c == '(' || c == '[')
        item.suffix += bracketed(c);
      else if (c != ' ')
        item.suffix += c;
    }
    return item.text();
  }

  /// Parses from after an opening bracket to after the closing one.
  std::string bracketed(char open) {
    const std::string inner = fmt::format("{}", fmt::join(list(), ", "));
    const char close = open == '<' ? '>' : open == '{' ? '}' : open == '(' ? ')' : ']';
    if (!rest().empty()) ++at_;
    return open + inner + close;
  }

  void take_word(Item& item) {
    const bool continues = at_ > 0 && text_[at_ - 1] == '>';
    const auto end = std::ranges::find_if_not(rest(), is_of_word);
    std::string word(rest().begin(), end);
    at_ += word.size();
    if (continues && word.starts_with("::") && !item.words.empty()) {
      item.words.back() += word;
      return;
    }
    if (word.starts_with("::")) word.erase(0, 2);
    constexpr std::string_view kOfRuntime = "warpwright::cuda::";
    if (word.starts_with(kOfRuntime)) word.erase(0, kOfRuntime.size());
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) word.erase(word.find_last_not_of("uUlL") + 1);
    constexpr std::array<std::string_view, 7> kSaysNothing{"struct",   "class",        "enum",      "typename",
                                                           "restrict", "__restrict__", "__restrict"};
    if (std::ranges::find(kSaysNothing, word) != kSaysNothing.end()) return;
    if (!item.suffix.empty())
      item.suffix += (word == "const" || word == "volatile" ? " " : "") + word;
    else if (word == "const")
      item.is_const = true;
    else if (word == "volatile")
      item.is_volatile = true;
    else
      item.words.push_back(std::move(word));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The parts of a pointer type: "float const volatile*".
struct PointerType {
  std::string to;
  bool is_const = false;
};

std::optional<PointerType> pointer_type(std::string type) {
  if (!type.ends_with('*')) return std::nullopt;
  type.pop_back();
  const auto take = [&](std::string_view word) {
    if (!type.ends_with(word)) return false;
    type.erase(type.size() - word.size());
    return true;
  };
  take(" volatile");
  const bool is_const = take(" const");
  return PointerType{.to = std::move(type), .is_const = is_const};
}

/// Replaces all of one text by another.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Scopes of <cuda/atomic> by their names, as in sources; compilers spell their numbers. The scope of the system is the
/// default, and is left out.
void name_scopes(std::string& type) {
  constexpr std::array<std::string_view, 3> scopes{"system", "device", "block"};
  for (const std::string_view prefix : {"(cuda::thread_scope)", "(cuda::std::__4::thread_scope)"})
    for (std::size_t i = 0; i < scopes.size(); ++i)
      replace_all(type, fmt::format("{}{}", prefix, i), fmt::format("cuda::thread_scope_{}", scopes[i]));
  replace_all(type, "cuda::__4::", "cuda::");
  replace_all(type, "cuda::std::__4::", "cuda::std::");
  replace_all(type, ", cuda::thread_scope_system>", ">");
}

/// Whether both are the same type, if `long` is `long long`: both have 64 bits, and it depends on the included headers
/// which of them int64_t is.
bool is_same_type(std::string one, std::string other) {
  for (std::string* const type : {&one, &other}) {
    replace_all(*type, "long long", "long");
    name_scopes(*type);
  }
  return one == other;
}

/// Whether a kernel may access elements of the buffer's type through a pointer to `name`.
bool names_type(const Buffer& buffer, const std::string& name) {
  if (is_same_type(name, std::string(name_of(buffer.type)))) return true;
  if (name == storage_name(buffer.type)) return true;
  const bool is_fundamental = kFundamentalWords.contains(name.substr(0, name.find(' ')));
  return buffer.role == Role::scratch && buffer.type == ElementType::u8 && !is_fundamental && !name.ends_with('*');
}

constexpr std::size_t kTensorMapBytes = 128;

std::size_t bytes_of(const Argument& argument) {
  if (const auto* value = std::get_if<ValueArgument>(&argument)) return value->bytes.size();
  if (std::holds_alternative<TensorMapArgument>(argument)) return kTensorMapBytes;
  return std::holds_alternative<IndexArgument>(argument) ? sizeof(int) : sizeof(void*);
}

class LaunchCheck {
 public:
  LaunchCheck(const Plan& plan, const SignatureOf& signature_of)
      : plan_(plan), signature_of_(signature_of), textures_(textures_of(plan)) {}

  std::string steps(const std::vector<Step>& steps, bool repeated) const {
    for (const Step& step : steps) {
      std::string wrong;
      if (const auto* launch = std::get_if<Launch>(&step.what))
        wrong = of_call(launch->entry, launch->arguments, repeated);
      if (const auto* work = std::get_if<HostWork>(&step.what))
        wrong = of_call(work->function, work->arguments, repeated);
      if (const auto* memset = std::get_if<Memset>(&step.what)) wrong = of_memset(*memset);
      if (const auto* repeat = std::get_if<Repeat>(&step.what); repeat != nullptr && repeat->times > 0) {
        wrong = of_swaps(*repeat);
        if (wrong.empty()) wrong = this->steps(repeat->steps, true);
      }
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  const Buffer* find(const std::string& name) const {
    const auto found = std::ranges::find(plan_.buffers, name, &Buffer::name);
    return found == plan_.buffers.end() ? nullptr : &*found;
  }

  static std::string of_memset(const Memset& memset) {
    const std::size_t bytes = memset.value.bytes.size();
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) return {};
    return fmt::format("the memset of {} writes a value of {} bytes, not of 1, 2, 4 or 8", memset.buffer, bytes);
  }

  std::string of_swaps(const Repeat& repeat) const {
    for (const auto& [first, second] : repeat.swaps) {
      const Buffer* const one = find(first);
      const Buffer* const other = find(second);
      for (const Texture& texture : textures_)
        if (texture.buffer == first || texture.buffer == second)
          return fmt::format("a repeat swaps {} and {}, and there is a texture of {}", first, second, texture.buffer);
      const bool alike = one != nullptr && other != nullptr && one->type == other->type && one->count == other->count &&
                         one->where == other->where && (one->role == Role::in) == (other->role == Role::in);
      if (!alike)
        return fmt::format("a repeat swaps {} and {}, which are not of one type, size and direction", first, second);
    }
    return {};
  }

  std::string of_call(const std::string& entry, const std::vector<Argument>& arguments, bool repeated) const {
    std::size_t bytes = 0;
    for (const Argument& argument : arguments) bytes += bytes_of(argument);
    if (bytes > kMaxArgumentBytes)
      return fmt::format("the arguments of {} take {} bytes, and a launch may pass {}", entry, bytes,
                         kMaxArgumentBytes);
    const Signature* const signature = signature_of_(entry);
    if (signature == nullptr) return {};
    if (!signature->types && !signature->bytes) return {};
    const std::size_t count = signature->types ? signature->types->size() : signature->bytes->size();
    if (arguments.size() != count)
      return fmt::format("{} takes {} arguments, the plan passes {}", entry, count, arguments.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::string place = fmt::format("argument {} of {}", i + 1, entry);
      if (signature->types)
        if (std::string wrong = of_type(arguments[i], signature->types->at(i), repeated); !wrong.empty())
          return fmt::format("{} is {}, the plan passes {}", place, signature->types->at(i), wrong);
      if (signature->bytes && signature->bytes->at(i) != bytes_of(arguments[i]))
        return fmt::format("{} has {} bytes, the plan passes {}", place, signature->bytes->at(i),
                           bytes_of(arguments[i]));
    }
    return {};
  }

  /// What the plan passes, as text, if the parameter does not accept it.
  std::string of_type(const Argument& argument, const std::string& parameter, bool repeated) const {
    if (const auto* value = std::get_if<ValueArgument>(&argument); value != nullptr && value->type == kNullPointer)
      return pointer_type(parameter) ? "" : value->type;
    else if (value != nullptr)
      return is_same_type(normal_type(value->type), parameter) ? "" : value->type;
    if (std::holds_alternative<IndexArgument>(argument)) {
      if (!repeated) return "the number of an iteration outside of every repeat";
      return parameter == "int" ? "" : "int, the number of the iteration";
    }
    if (const auto* bound = std::get_if<TextureArgument>(&argument))
      return parameter == "unsigned long long" ? "" : "a texture object, the " + describe(bound->texture);
    if (const auto* tiled = std::get_if<TensorMapArgument>(&argument))
      return parameter == "warpwright::tensor_map" || parameter == "CUtensorMap"
                 ? ""
                 : "a tensor map of " + describe(tiled->map);
    const auto& [name, offset, given_as] = std::get<BufferArgument>(argument);
    const bool is_mutable = given_as.starts_with(kMutable);
    const std::string as = given_as.substr(is_mutable ? kMutable.size() : 0);
    const Buffer* const buffer = find(name);
    if (buffer == nullptr) return fmt::format("the buffer {}, which it does not have", name);
    const auto pointer = pointer_type(parameter);
    const bool read_only = buffer->role == Role::in && !is_mutable;
    const bool fits =
        pointer && (as.empty() ? names_type(*buffer, pointer->to) : is_same_type(normal_type(as), pointer->to));
    if (fits && (pointer->is_const || !read_only)) return {};
    return fmt::format("{}{}*, the buffer {}", read_only ? "const " : "", as.empty() ? name_of(buffer->type) : as,
                       name);
  }

  const Plan& plan_;
  const SignatureOf& signature_of_;
  std::vector<Texture> textures_;
};

}  // namespace

std::string normal_type(std::string_view type) {
  return fmt::format("{}", fmt::join(TypeReader(type).list(), ", "));
}

std::optional<std::vector<std::string>> parameters_of(const std::string& symbol) {
  return symbol.starts_with("_Z") ? parameters_of_type(symbol) : std::nullopt;
}

std::optional<std::vector<std::string>> parameters_of_type(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  const std::string_view text = status == 0 ? demangled.get() : "";
  if (!text.ends_with(')')) return std::nullopt;
  std::size_t open = text.size() - 1;
  for (int depth = 1; depth > 0 && open > 0;) {
    --open;
    depth += text[open] == ')' ? 1 : text[open] == '(' ? -1 : 0;
  }
  return TypeReader(text.substr(open + 1, text.size() - open - 2)).list();
}

std::string argument_mismatch(const Plan& plan, const SignatureOf& signature_of) {
  if (std::string fault = plan_fault(plan); !fault.empty()) return fault;
  return LaunchCheck(plan, signature_of).steps(plan.steps, false);
}

}  // namespace warpwright
