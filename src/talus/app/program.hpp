#pragma once
// The program: a command, or why it stopped. Returns the exit code.
namespace talus::app {

int run_program(int argc, char** argv);

}  // namespace talus::app
