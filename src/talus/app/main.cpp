#include <talus/app/program.hpp>

int main(int argc, char** argv) { return talus::app::run_program(argc, argv); }
