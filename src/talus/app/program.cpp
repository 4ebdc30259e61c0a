#include <talus/app/program.hpp>

#include <exception>
#include <new>

#include <fmt/format.h>

#include <talus/app/command_line.hpp>
#include <talus/core/input_error.hpp>
#include <talus/exec/device.hpp>
#include <talus/io/file_error.hpp>

namespace talus::app {
namespace {

int stopped(const std::string& why, int code) {
  fmt::print(stderr, "talus: {}\n", why);
  return code;
}

}  // namespace

int run_program(int argc, char** argv) {
  try {
    return CommandLine(argc, argv).run();
  } catch (const InputError& e) {
    return stopped(e.what(), 2);
  } catch (const FileError& e) {
    return stopped(e.what(), 3);
  } catch (const exec::DeviceError& e) {
    return stopped(e.what(), 3);
  } catch (const std::bad_alloc&) {
    return stopped("not enough memory; talus check SCENE says how much the scene needs", 3);
  } catch (const std::exception& e) {
    return stopped("internal error: " + std::string(e.what()), 4);
  }
}

}  // namespace talus::app
