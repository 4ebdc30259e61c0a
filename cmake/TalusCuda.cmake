# Device sources. A layer lists its x_cuda.cu files beside the .cpp files that stand in for them without CUDA:
#   talus_cuda(dem SOURCES step_cuda_3d.cu ... INSTEAD no_device.cpp)
# The target cuda_check compiles them all.
if(TALUS_CUDA)
  enable_language(CUDA)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # CMake 3.25 does not know that newer compilers have it
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  add_custom_target(cuda_check)
endif()

function(talus_cuda layer)
  cmake_parse_arguments(ARG "" "" "SOURCES;INSTEAD" ${ARGN})
  if(NOT TALUS_CUDA)
    target_sources(talus_${layer} PRIVATE ${ARG_INSTEAD})
    return()
  endif()
  add_library(talus_${layer}_cuda OBJECT ${ARG_SOURCES})
  set_target_properties(talus_${layer}_cuda PROPERTIES CUDA_ARCHITECTURES 90 CUDA_STANDARD 20)
  target_include_directories(talus_${layer}_cuda PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # Same arithmetic rule as on the host; a host function called from a kernel is an error, not a warning.
  target_compile_options(talus_${layer}_cuda PRIVATE
    --fmad=false --expt-relaxed-constexpr -lineinfo -Werror=cross-execution-space-call)
  target_sources(talus_${layer} PRIVATE $<TARGET_OBJECTS:talus_${layer}_cuda>)
  find_package(CUDAToolkit REQUIRED)
  target_link_libraries(talus_${layer} PUBLIC CUDA::cudart_static)
  add_dependencies(cuda_check talus_${layer}_cuda)
endfunction()
