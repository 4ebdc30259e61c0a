#pragma once
// What a plain type consists of: its leaf scalar and their number, found by the compiler. A vector of doubles is
// doubles, a history of vectors and numbers is doubles. It is also the proof that no padding bytes hide inside: as
// many leaves as fit into the size can be initialised one by one.
// Files store such values as rows of leaves; hashes read their bytes.
#include <concepts>
#include <type_traits>
#include <utility>

#include <talus/core/real.hpp>

namespace talus {
namespace leaves_detail {

template <class Leaf>
struct Exactly {
  template <std::same_as<Leaf> T>
  operator T() const;  // to the leaf and nothing else: neither a narrower number nor a struct of leaves
};

template <class T, class Leaf, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{((void)I, Exactly<Leaf>{})...}; };
}

template <class T, class Leaf>
constexpr bool made_of() {
  if constexpr (sizeof(T) % sizeof(Leaf) != 0 || !std::is_trivially_copyable_v<T>)
    return false;
  else
    return takes<T, Leaf>(std::make_index_sequence<sizeof(T) / sizeof(Leaf)>{});
}

template <class T, class... Candidates>
struct First {
  using type = void;
};
template <class T, class Leaf, class... Others>
struct First<T, Leaf, Others...> {
  using type = typename std::conditional_t<made_of<T, Leaf>(), std::type_identity<Leaf>, First<T, Others...>>::type;
};

}  // namespace leaves_detail

// Scalar that T is made of; void when it holds several kinds of scalars or padding.
template <class T>
using leaf_of =
    typename leaves_detail::First<std::remove_all_extents_t<T>, Real, float, u64, i64, u32, i32, u16, i16, u8>::type;

template <class T>
concept MadeOfLeaves = !std::is_void_v<leaf_of<T>>;

template <MadeOfLeaves T>
inline constexpr std::size_t leaf_count = sizeof(T) / sizeof(leaf_of<T>);

// Every byte of T is part of its value. Doubles count: 0 and -0 are different values to a file and to a hash.
template <class T>
concept WithoutPadding = MadeOfLeaves<T> || std::has_unique_object_representations_v<T>;

}  // namespace talus
