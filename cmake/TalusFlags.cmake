# talus_flags: what every source of ours is compiled with, in every build. Speed and debugging flags are in the presets.
add_library(talus_flags INTERFACE)
target_compile_features(talus_flags INTERFACE cxx_std_20)
target_compile_definitions(talus_flags INTERFACE TALUS_VERSION="${PROJECT_VERSION}")

# The same bits from every compiler and instruction set: a multiplication and an addition are fused only where the
# source says so. The other two let the compiler inline sqrt and vectorise branches; no result depends on them.
set(arithmetic -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 fuses all the same where it sees a sum beside a difference of products (vfmaddsub), such as a rotation: its search for
  # such pairs is off. Loops and lanes, which are written as vectors, do not need it. Test: no_fused_operations.
  list(APPEND arithmetic -fno-tree-slp-vectorize)
endif()

set(warnings -Wno-psabi -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)  # g++ 12 sees overlaps in std::string's operator+ that are not there
endif()

target_compile_options(talus_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${arithmetic};${warnings}>")
