# One layer = one folder under src/talus = one target talus::<name>.
#   talus_layer(contact
#     HEADERS law.hpp ... SOURCES material.cpp ...       listed, relative to the folder; no SOURCES: headers only
#     DEPENDS neighbours ... LIBRARIES fmt::fmt ...)  layers; third-party targets (cmake/TalusLibraries.cmake)
# COLD after the name: no step runs through it, so it is compiled with -O1, which takes half the time and gives the same bits.
# UNITY: its sources are compiled as one where TALUS_UNITY is on (preset `release`), so that headers are read once: a third of the time.
# APART lists those of them that stay by themselves: kernels, whose inlining must not depend on what stands beside them.
# Names in anonymous namespaces of the layer must differ. Other presets compile file by file, so a missing #include is found.
# Every .hpp of the folder is listed and compiles alone (test `headers`). An .ipp is a body that some .cpp includes;
# it is not listed.
function(talus_layer name)
  cmake_parse_arguments(ARG "COLD;UNITY" "" "HEADERS;SOURCES;APART;DEPENDS;LIBRARIES" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "talus_layer(${name}): unknown: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  list(TRANSFORM ARG_DEPENDS PREPEND talus::)

  set(kind STATIC)
  set(scope PUBLIC)
  if(NOT ARG_SOURCES)
    set(kind INTERFACE)
    set(scope INTERFACE)
  endif()

  list(APPEND ARG_SOURCES ${ARG_APART})
  add_library(talus_${name} ${kind} ${ARG_SOURCES})
  add_library(talus::${name} ALIAS talus_${name})
  target_sources(talus_${name} ${scope}
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${ARG_HEADERS})
  target_link_libraries(talus_${name} ${scope} talus_flags ${ARG_DEPENDS} ${ARG_LIBRARIES})
  if(ARG_COLD AND ARG_SOURCES AND CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(talus_${name} PRIVATE -O1)
  endif()
  if(ARG_UNITY AND TALUS_UNITY)
    set_target_properties(talus_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    set_source_files_properties(${ARG_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  set_target_properties(talus_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

# A program in build/bin.
#   talus_program(talus SOURCES main.cpp DEPENDS app)
function(talus_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  list(TRANSFORM ARG_DEPENDS PREPEND talus::)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE talus_flags ${ARG_DEPENDS} ${ARG_LIBRARIES})
endfunction()
