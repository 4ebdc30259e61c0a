# Wrong input from outside: the program refuses it or survives it. Small in ./test, whole in ./test --full.
foreach(suite IN ITEMS resealed mutated_scenes special_input hostile_report)
  talus_script_test(${suite} SCRIPT ${suite}.py TIMEOUT 300)
  talus_script_test(${suite}_full SCRIPT ${suite}.py ARGUMENTS --full LABELS full TIMEOUT 7200)
endforeach()

# The program with the address and undefined-behaviour sanitizers, for damaged checkpoints.
add_test(NAME asan_program WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMAND sh -c "cmake --preset debug && cmake --build build-debug --target talus")
set_tests_properties(asan_program PROPERTIES FIXTURES_SETUP asan_program LABELS full TIMEOUT 3600 PROCESSORS 2)
set_tests_properties(resealed_full PROPERTIES FIXTURES_REQUIRED asan_program)
