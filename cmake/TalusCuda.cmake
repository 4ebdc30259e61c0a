# Device sources. A layer lists its x_cuda.cu files; the target cuda_check compiles them all with nvcc.
#   talus_cuda_check(gather_cuda.cu ...)       does nothing without TALUS_CUDA
if(TALUS_CUDA)
  enable_language(CUDA)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # CMake 3.25 does not know that newer compilers have it
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cu CONTENT "")  # a target needs a source before the first layer has one
  add_library(cuda_check OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/empty.cu)
  set_target_properties(cuda_check PROPERTIES CUDA_ARCHITECTURES 90 CUDA_STANDARD 20)
  target_include_directories(cuda_check PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # Same arithmetic rule as on the host; a host function called from a kernel is an error, not a warning.
  target_compile_options(cuda_check PRIVATE
    --fmad=false --expt-relaxed-constexpr -Werror=cross-execution-space-call)
endif()

function(talus_cuda_check)
  if(TALUS_CUDA)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    target_sources(cuda_check PRIVATE ${ARGN})
  endif()
endfunction()
