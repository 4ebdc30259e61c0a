#include <talus/app/program.hpp>

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <system_error>

#include <talus/app/command_line.hpp>
#include <talus/app/signals.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/utf8.hpp>
#include <talus/exec/device.hpp>
#include <talus/io/file_error.hpp>
#include <talus/simulation/parents.hpp>

namespace talus::app {
namespace {

constexpr std::size_t longest = 4000, longest_word = 300;  // bytes of a message: a value may be as long as a file

int stopped(const std::string& why, int code) {
  std::fputs(("talus: " + readable(why, longest_word, longest) + "\n").c_str(), stderr);
  return code;
}

// What was printed may still be on its way: a full disk shows only now.
int printed(int code) {
  const bool is_lost = std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout.flush();
  return is_lost && code == 0 ? stopped("standard output cannot be written: " + system_reason(), 3) : code;
}

// What the system said about a name is wrong input, the rest is trouble on the way.
int code_of(const std::error_code& error) {
  for (const auto named : {std::errc::filename_too_long, std::errc::no_such_file_or_directory, std::errc::not_a_directory,
                           std::errc::too_many_symbolic_link_levels})
    if (error == named) return 2;
  return 3;
}

// Where memory is so short that an exception has no room, the C++ library calls terminate with no exception in flight. That may be
// before main, while tables of names are filled: the handler is set first of all.
std::terminate_handler usual_end = nullptr;
void end_without_memory() {
  if (std::current_exception()) usual_end();
  constexpr char text[] = "talus: not enough memory\n";
  (void)!::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(3);
}
[[gnu::constructor(101)]] void set_end() { usual_end = std::set_terminate(end_without_memory); }

}  // namespace

int run_program(int argc, char** argv) {
  let_large_writes_fail();
  try {
    return printed(CommandLine(argc, argv).run());
  } catch (const InputError& e) {
    return stopped(e.what(), 2);
  } catch (const simulation::NotMade& e) {
    return stopped(e.what(), caught_signal() > 0 ? 128 + caught_signal() : 3);
  } catch (const FileError& e) {
    return stopped(e.what(), 3);
  } catch (const exec::DeviceError& e) {
    return stopped(e.what(), 3);
  } catch (const std::bad_alloc&) {
    return stopped("not enough memory; talus check SCENE says how much the scene needs", 3);
  } catch (const std::length_error&) {  // more elements than can be counted
    return stopped("not enough memory; talus check SCENE says how much the scene needs", 3);
  } catch (const std::system_error& e) {
    return stopped(e.what(), code_of(e.code()));
  } catch (const std::exception& e) {
    return stopped("internal error: " + std::string(e.what()), 4);
  }
}

}  // namespace talus::app
