#pragma once
// Column: one array of plain values, aligned for vector loads. Span: a view of it that kernels take by value.
// Where the bytes live is known here and nowhere above.
#include <cstdlib>
#include <new>
#include <type_traits>
#include <vector>

#include <talus/core/real.hpp>

namespace talus {

template <class T>
struct Span {
  T* data = nullptr;
  std::size_t size = 0;
  TALUS_HD T& operator[](std::size_t i) const { return data[i]; }
  TALUS_HD T* begin() const { return data; }
  TALUS_HD T* end() const { return data + size; }
  template <class C>
  requires(std::is_same_v<C, const T> && !std::is_const_v<T>) TALUS_HD operator Span<C>() const { return {data, size}; }
};

namespace exec {

// 64-byte alignment; values are left as they are until written (columns are always filled by a kernel).
template <class T>
struct Aligned {
  using value_type = T;
  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  friend bool operator==(const Aligned&, const Aligned&) { return true; }
};

}  // namespace exec

template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>, "columns are copied as bytes: to files, to devices, by reorder");

 public:
  using value_type = T;
  Column() = default;
  explicit Column(std::size_t n) : values_(n) {}

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  void resize(std::size_t n) { values_.resize(n); }
  void assign(std::size_t n, const T& value) { values_.assign(n, value); }
  void push_back(const T& value) { values_.push_back(value); }
  void clear() { values_.clear(); }
  void swap(Column& other) { values_.swap(other.values_); }

  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  Span<T> span() { return {values_.data(), values_.size()}; }
  Span<const T> span() const { return {values_.data(), values_.size()}; }

 private:
  std::vector<T, exec::Aligned<T>> values_;
};

}  // namespace talus
