// Reads little-endian values from bytes, never past their end.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>

namespace warpwright::simulator {

/// A position in bytes that moves as values are taken. Every function throws std::out_of_range at the end.
class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool at_end() const { return position_ == bytes_.size(); }
  std::size_t position() const { return position_; }

  void move_to(std::size_t position) {
    if (position > bytes_.size()) throw std::out_of_range("the end of the bytes");
    position_ = position;
  }
  void skip(std::size_t count) {
    if (count > bytes_.size() - position_) throw std::out_of_range("the end of the bytes");
    position_ += count;
  }

  template <class T>
  T take() {
    const std::size_t from = position_;
    skip(sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + from, sizeof(T));
    return value;
  }

  std::uint64_t take_uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80u) == 0) return value;
    }
  }

  std::int64_t take_sleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if ((byte & 0x80u) == 0) {
        if (shift < 64 && (byte & 0x40u) != 0) value |= ~std::uint64_t{0} << shift;
        return static_cast<std::int64_t>(value);
      }
    }
  }

  std::string_view take_string() {
    const char* const begin = reinterpret_cast<const char*>(bytes_.data()) + position_;
    const std::size_t length = strnlen(begin, bytes_.size() - position_);
    skip(length + 1);
    return {begin, length};
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

}  // namespace warpwright::simulator
