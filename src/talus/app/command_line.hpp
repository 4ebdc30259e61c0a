#pragma once
// The words of the command line: talus run | resume | check | fit | sweep | compare | sample | verify | list | show | report.
#include <functional>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <talus/app/commands.hpp>

namespace talus::app {

class CommandLine {
 public:
  CommandLine(int argc, char** argv);
  int run();  // the exit code. Throws InputError

 private:
  void add_run();
  void add_fit();
  void add_sweep();
  void add_compare();
  void add_verify();
  void add_contact();
  void add_sample();
  void add_others();
  void add_run_options(CLI::App& command);
  void refuse_unknown() const;

  int argc_;
  char** argv_;
  CLI::App app_{"Talus: a virtual laboratory for granular materials", "talus"};
  std::vector<std::pair<CLI::App*, std::function<int()>>> actions_;
  RunRequest request_;
  FitRequest fitting_;
  SweepRequest sweeping_;
  CompareRequest comparing_;
  SampleRequest sampling_;
  RevRequest growing_;
  VerifyRequest verifying_;
  ContactRequest contact_;
  bool quiet_ = false, json_ = false, quick_ = false;
  std::string folder_, what_, name_;
  std::vector<std::filesystem::path> folders_;
  std::optional<std::filesystem::path> out_;
};

}  // namespace talus::app
