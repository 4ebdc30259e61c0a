#pragma once
// What a plain type consists of: its scalar and their number, found by the compiler. A vector of doubles is
// doubles, a history of vectors and numbers is doubles. It is also the proof that no padding bytes hide inside: as
// many scalars as fit into the size can be initialised one by one.
// Files store such values as rows of scalars; hashes read their bytes.
#include <concepts>
#include <type_traits>
#include <utility>

#include <talus/core/real.hpp>

namespace talus {
namespace scalars_detail {

template <class Scalar>
struct Exactly {
  template <std::same_as<Scalar> T>
  operator T() const;  // to the scalar and nothing else: neither a narrower number nor a struct of scalars
};

template <class T, class Scalar, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{((void)I, Exactly<Scalar>{})...}; };
}

template <class T, class Scalar>
constexpr bool made_of() {
  if constexpr (sizeof(T) % sizeof(Scalar) != 0 || !std::is_trivially_copyable_v<T>)
    return false;
  else
    return takes<T, Scalar>(std::make_index_sequence<sizeof(T) / sizeof(Scalar)>{});
}

template <class T, class... Candidates>
struct First {
  using type = void;
};
template <class T, class Scalar, class... Others>
struct First<T, Scalar, Others...> {
  using type = typename std::conditional_t<made_of<T, Scalar>(), std::type_identity<Scalar>, First<T, Others...>>::type;
};

}  // namespace scalars_detail

// Scalar that T is made of; void when it holds several kinds of scalars or padding.
template <class T>
using scalar_of =
    typename scalars_detail::First<std::remove_all_extents_t<T>, Real, float, u64, i64, u32, i32, u16, i16, u8>::type;

template <class T>
concept MadeOfScalars = !std::is_void_v<scalar_of<T>>;

template <MadeOfScalars T>
inline constexpr std::size_t scalar_count = sizeof(T) / sizeof(scalar_of<T>);

// Every byte of T is part of its value. Doubles count: 0 and -0 are different values to a file and to a hash.
template <class T>
concept WithoutPadding = MadeOfScalars<T> || std::has_unique_object_representations_v<T>;

}  // namespace talus
