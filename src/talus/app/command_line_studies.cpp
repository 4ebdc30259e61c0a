// The commands that make, compare or check many runs, and those that only read.
#include <talus/app/command_line.hpp>

namespace talus::app {

void CommandLine::add_fit() {
  auto* fit = app_.add_subcommand("fit", "find parameters so that a run matches a measured curve or figures");
  fit->add_option("scene", request_.scene, "scene file or name")->required();
  fit->add_option("--vary", fitting_.vary, "NAME=LOW:HIGH: a parameter and its bounds")
      ->required()
      ->allow_extra_args(false);
  fit->add_option("--curve", fitting_.curve, "CSV of what was measured");
  fit->add_option("--x", fitting_.x, "its column along the axis, and that of the series");
  fit->add_option("--y", fitting_.y, "its measured column, and that of the series");
  fit->add_option("--figure", fitting_.figures, "NAME=VALUE: a figure of summary.json to match instead of a curve")
      ->allow_extra_args(false);
  fit->add_option("--runs", fitting_.max_runs, "most runs")->check(CLI::Range(2, 1000));
  fit->add_option("--tolerance", fitting_.tolerance, "step at which the search ends, as a share of the bounds")
      ->check(CLI::Range(1e-6, 0.5));
  fit->add_option("--set", request_.settings, "name=value, the same for all runs")->allow_extra_args(false);
  fit->add_option("--out", request_.out, "folder for the runs; new or empty");
  add_run_options(*fit);
  actions_.emplace_back(fit, [this] {
    fitting_.run = request_;
    return fit_scene(fitting_);
  });
}

void CommandLine::add_sweep() {
  auto* sweep = app_.add_subcommand("sweep", "run every combination of some values, each with several seeds: one table, one report");
  sweep->add_option("scene", request_.scene, "scene file or name")->required();
  sweep->add_option("--vary", sweeping_.vary, "NAME=A,B,C, or NAME=LOW:HIGH:COUNT evenly spaced: a parameter and its values")
      ->allow_extra_args(false);
  sweep->add_option("--seeds", sweeping_.seeds, "runs of each combination, with seeds one after the other")->check(CLI::Range(1, 1000));
  sweep->add_option("--jobs", sweeping_.jobs, "runs at a time")->check(CLI::Range(1, 1024));
  sweep->add_option("--set", request_.settings, "name=value, the same for all runs")->allow_extra_args(false);
  sweep->add_option("--out", request_.out, "folder; new, empty, or that of this sweep, which is continued. Left out: runs/NAME-sweep-0001");
  sweep->add_option("--threads", request_.threads, "threads of each run; left out: all cores shared by the jobs. Changes no result")
      ->check(CLI::Range(1, 1024));
  sweep->add_option("--device", request_.device, "where to run")->check(CLI::IsMember({"cpu", "cuda"}));
  sweep->add_flag("--quiet", quiet_, "no progress");
  actions_.emplace_back(sweep, [this] {
    sweeping_.run = request_;
    return sweep_scene(sweeping_);
  });
}

void CommandLine::add_compare() {
  auto* compare =
      app_.add_subcommand("compare", "metrics of runs of cycles against a reference: Rtop, errf, errZ, bhat, tau");
  compare->add_option("runs", comparing_.runs, "folders of runs")->required();
  compare->add_option("--reference", comparing_.reference, "folder of a run, or a CSV with the columns of its series")
      ->required();
  compare->add_option("--dropped", comparing_.dropped, "first cycles that do not count; left out: analysis.dropped of each run")
      ->check(CLI::Range(0, 1000000));
  compare->add_option("--threshold", comparing_.threshold, "weaker contacts of the reference do not count, N")
      ->check(CLI::Range(0.0, 1e6));
  compare->add_flag("--json", comparing_.json, "as JSON");
  actions_.emplace_back(compare, [this] { return compare_runs(comparing_); });
}

void CommandLine::add_verify() {
  auto* verify = app_.add_subcommand("verify", "run published and closed-form cases here, and compare");
  auto* quick = verify->add_flag("--quick", quick_, "three minutes on two cores (default)");
  verify->add_flag("--full", verifying_.full, "more points, larger samples")->excludes(quick);
  verify->add_option("--case", verifying_.only, "only this case; may be given several times")->allow_extra_args(false);
  verify->add_option("--out", verifying_.out, "Markdown to write; a page that has the table gets the new one");
  verify->add_option("--threads", verifying_.threads, "threads to use")->check(CLI::Range(1, 1024));
  actions_.emplace_back(verify, [this] { return verify_program(verifying_); });
}

void CommandLine::add_sample() {
  auto* sample = app_.add_subcommand("sample", "write where the grains of a run are, for [sample] of another scene, for LAMMPS or for Yade; or keep it in the bank");
  sample->add_option("run", sampling_.run, "folder of the run, or a checkpoint; one called save, list, card or rev is written ./list");
  sample->add_option("--out", sampling_.out, "file to write; its ending tells the format: .csv, .data (LAMMPS), .txt (Yade)");
  sample->add_option("--format", sampling_.format, "of the file, whatever its ending")->check(CLI::IsMember({"csv", "lammps", "yade"}));
  sample->add_flag("--motion", sampling_.motion, "with velocities and spins; left out: the other scene starts at rest");
  auto* save = sample->add_subcommand("save", "keep the sample of a run in the bank, the folder samples, with a card of what it is");
  save->add_option("run", sampling_.run, "folder of the run, or one of its checkpoints")->required();
  save->add_option("name", name_, "what to call it; [sample] file = \"NAME\" takes it")->required();
  auto* list = sample->add_subcommand("list", "the samples of the bank");
  auto* card = sample->add_subcommand("card", "what a sample of the bank is, and whether its file still is that");
  card->add_option("name", name_, "what it is called")->required();
  card->add_flag("--json", json_, "as JSON");
  auto* rev = sample->add_subcommand("rev", "grow a sample until a figure of its run no longer depends on its size");
  rev->add_option("scene", request_.scene, "scene file or name")->required();
  rev->add_option("--vary", growing_.sizes, "NAME=A,B,C: the parameter that makes the sample larger, and its values, rising")->required();
  rev->add_option("--figure", growing_.figure, "of summary.json, such as q_end")->required();
  rev->add_option("--within", growing_.within, "relative difference between two sizes that counts as none")->check(CLI::Range(1e-6, 1.0));
  rev->add_option("--seeds", growing_.seeds, "runs of each size, whose mean counts")->check(CLI::Range(1, 1000));
  rev->add_option("--set", request_.settings, "name=value, the same for all runs")->allow_extra_args(false);
  rev->add_option("--out", request_.out, "folder for the runs; new or empty");
  add_run_options(*rev);
  actions_.emplace_back(sample, [this, save, list, card, rev] {
    if (*save) return save_to_bank(sampling_.run, name_);
    if (*list) return list_bank();
    if (*card) return show_card(name_, json_);
    if (*rev) {
      growing_.run = request_;
      return find_rev(growing_);
    }
    return write_sample(sampling_);
  });
}

void CommandLine::add_others() {
  auto* list = app_.add_subcommand("list", "what there is: scenes, laws, methods, shapes, stages, channels");
  list->add_option("what", what_, "scenes, laws, methods, shapes, stages or channels")
      ->check(CLI::IsMember({"scenes", "laws", "coats", "methods", "shapes", "stages", "channels"}));
  auto* show = app_.add_subcommand("show", "a scene in a few lines: title, file, parameters");
  show->add_option("scene", request_.scene, "scene file or name")->required();
  auto* report = app_.add_subcommand("report", "write the report of one run anew, or compare several");
  report->add_option("folders", folders_, "folders of runs")->required();
  report->add_option("--out", out_, "file to write; left out: report.html in the folder (one run) or here (several)");
  actions_.emplace_back(list, [this] { return list_things(what_); });
  actions_.emplace_back(show, [this] { return show_scene(request_.scene); });
  actions_.emplace_back(report, [this] { return report_runs(folders_, out_); });
}

}  // namespace talus::app
