# Tests. The label of a test is its storey, the folder under tests/: unit, scenario, physics; `full` marks the long ones,
# which ./test leaves out and ./test --full runs.
include(GoogleTest)

function(talus_storey result)
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REGEX REPLACE "/.*" "" storey "${path}")
  set(${result} ${storey} PARENT_SCOPE)
endfunction()

# A GoogleTest program in build/tests; each TEST of it is one test.
#   talus_test(contact_test SOURCES a_test.cpp ... DEPENDS contact [LIBRARIES ...] [READS_TREE a_test.cpp] [LABELS full] [TIMEOUT 600])
# The sources listed behind READS_TREE may use TALUS_SOURCE_DIR, e.g. TALUS_SOURCE_DIR "/tests/data/x.csv". No other object holds
# the path of the tree, so that clones share a compiler cache.
function(talus_test name)
  cmake_parse_arguments(ARG "" "LABELS;TIMEOUT" "SOURCES;DEPENDS;LIBRARIES;READS_TREE" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "talus_test(${name}): no SOURCES, or unknown: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  talus_storey(storey)
  set_property(DIRECTORY PROPERTY LABELS ${storey})  # adds up with the labels of the test
  list(TRANSFORM ARG_DEPENDS PREPEND talus::)
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set_property(SOURCE ${ARG_READS_TREE} APPEND PROPERTY COMPILE_DEFINITIONS TALUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE talus_flags ${ARG_DEPENDS} ${ARG_LIBRARIES} GTest::gtest_main)

  set(properties)
  if(ARG_LABELS)
    list(APPEND properties LABELS ${ARG_LABELS})
  endif()
  if(ARG_TIMEOUT)
    list(APPEND properties TIMEOUT ${ARG_TIMEOUT})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# A Python script that drives the program: exit status 0 passes. It finds the program in the variable TALUS and the
# repository in TALUS_SOURCE_DIR, and starts in a scratch folder of its own.
#   talus_script_test(read_vtp SCRIPT read_vtp.py [ARGUMENTS ...] [LABELS full] [TIMEOUT 600] [FIXTURES clang])
function(talus_script_test name)
  cmake_parse_arguments(ARG "" "SCRIPT;LABELS;TIMEOUT;FIXTURES" "ARGUMENTS" ${ARGN})
  talus_storey(storey)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(MAKE_DIRECTORY ${folder})
  add_test(NAME ${name} WORKING_DIRECTORY ${folder}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SCRIPT} ${ARG_ARGUMENTS})
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT
    TALUS=$<TARGET_FILE:talus> TALUS_CLANG=${PROJECT_SOURCE_DIR}/build-clang/bin/talus
    TALUS_SOURCE_DIR=${PROJECT_SOURCE_DIR})
  set_property(TEST ${name} PROPERTY LABELS ${storey} ${ARG_LABELS})
  if(ARG_TIMEOUT)
    set_property(TEST ${name} PROPERTY TIMEOUT ${ARG_TIMEOUT})
  endif()
  if(ARG_FIXTURES)
    set_property(TEST ${name} PROPERTY FIXTURES_REQUIRED ${ARG_FIXTURES})
  endif()
endfunction()

# Tests of the tree itself.
add_test(NAME layers COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_layers)
add_test(NAME house COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/house)
add_test(NAME trust COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/trust --check)
add_test(NAME headers
  COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target all_verify_interface_header_sets)

# The program built by clang, for tests that compare its results with ours: FIXTURES clang, variable TALUS_CLANG.
add_test(NAME clang_build WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMAND sh -c "cmake --preset clang && cmake --build build-clang --target talus")
set_tests_properties(clang_build PROPERTIES FIXTURES_SETUP clang LABELS full TIMEOUT 1500 PROCESSORS 2)
