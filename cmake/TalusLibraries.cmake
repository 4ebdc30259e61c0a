# Third-party libraries, all from the system (tools/packages.txt). A layer names them after LIBRARIES:
#   CLI11::CLI11  tomlplusplus::tomlplusplus  nlohmann_json::nlohmann_json  fmt::fmt
#   hdf5::hdf5 (C interface)  PNG::PNG  Qhull::qhull_r (geometry only)  Threads::Threads (exec only)  GTest::gtest
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(PNG REQUIRED)
find_package(Qhull CONFIG REQUIRED)

# The chart library that report.html carries inside itself.
find_file(TALUS_CHART_JS chart.min.js PATHS /usr/share/javascript/chart.js REQUIRED)
mark_as_advanced(TALUS_CHART_JS)

if(TALUS_TESTS)
  find_package(GTest REQUIRED)
  set(Python3_ROOT_DIR /usr)  # the system's interpreter: it has the packages numpy and vtk
  set(Python3_FIND_STRATEGY LOCATION)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
