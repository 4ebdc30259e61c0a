#pragma once
// Column: one array of plain values, aligned for vector loads, in this machine's memory or in a device's. Span: a view
// of it that kernels take by value. Where the bytes live is known here and nowhere above: a State whose columns lie on
// a device is the same struct, and only its elements cannot be read from here.
#include <algorithm>
#include <type_traits>
#include <utility>

#include <talus/core/real.hpp>
#include <talus/exec/memory.hpp>

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

template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>, "columns are copied as bytes: to files, to devices, by reorder");

 public:
  using value_type = T;
  Column() = default;
  explicit Column(std::size_t n) { resize(n); }
  Column(std::size_t n, const exec::Memory& memory) : memory_(&memory) { resize_unset(n); }
  Column(const Column& other) : memory_(other.memory_) { copy_from(other); }
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column other) noexcept { return swap(other), *this; }
  ~Column() { release(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // New elements are T{} on the host. Never smaller than before until released: columns that breathe do not allocate.
  void resize(std::size_t n) {
    const std::size_t old = size_;
    reserve(n);
    size_ = n;
    if (memory_->on_host)
      for (std::size_t i = old; i < n; ++i) data_[i] = T{};
    else if (n > old)
      memory_->clear(data_ + old, (n - old) * sizeof(T));
  }
  // What was in it is lost, what is in it now is anything: for columns that a kernel fills.
  void resize_unset(std::size_t n) {
    if (n > capacity_) {
      release();
      data_ = static_cast<T*>(memory_->allocate(n * sizeof(T) + slack));
      capacity_ = n;
    }
    size_ = n;
  }
  void assign(std::size_t n, const T& value) {
    resize_unset(n);
    std::fill(data_, data_ + n, value);
  }
  void push_back(const T& value) {
    const T kept = value;
    if (size_ == capacity_) reserve(std::max<std::size_t>(16, 2 * capacity_));
    data_[size_++] = kept;
  }
  void clear() { size_ = 0; }
  void release() {
    if (data_) memory_->release(data_, capacity_ * sizeof(T) + slack);
    data_ = nullptr;
    size_ = capacity_ = 0;
  }
  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(memory_, other.memory_);
  }
  // From now on in this memory; what is in it moves along.
  void move_to(const exec::Memory& memory) {
    if (memory_ == &memory) return;
    Column there(size_, memory);
    there.copy_from(*this);
    swap(there);
  }
  // Its elements, whichever memory they are in.
  void copy_from(const Column& other) {
    resize_unset(other.size_);
    if (size_ > 0) (memory_->on_host ? *other.memory_ : *memory_).copy(data_, other.data_, size_ * sizeof(T));
  }

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  Span<T> span() { return {data_, size_}; }
  Span<const T> span() const { return {data_, size_}; }
  const exec::Memory& memory() const { return *memory_; }

 private:
  void reserve(std::size_t n) {
    if (n <= capacity_) return;
    T* more = static_cast<T*>(memory_->allocate(n * sizeof(T) + slack));
    if (size_ > 0) memory_->copy(more, data_, size_ * sizeof(T));
    if (data_) memory_->release(data_, capacity_ * sizeof(T) + slack);
    data_ = more;
    capacity_ = n;
  }
  static constexpr std::size_t slack = 32;  // bytes: vector loads reach a word or two beyond the last element
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  const exec::Memory* memory_ = &exec::host_memory();
};

}  // namespace talus
