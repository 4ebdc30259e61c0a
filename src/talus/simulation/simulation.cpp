#include <talus/simulation/simulation.hpp>

#include <stdexcept>

#include <talus/exec/timers.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/parents.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

class Simulation::Body {
 public:
  virtual ~Body() = default;
  virtual void record(RunFolder folder) = 0;
  virtual void resume(RunFolder folder) = 0;
  virtual lab::Result advance(const lab::Limit& limit) = 0;
  virtual Summary finish() = 0;
  virtual lab::Row row() = 0;
  virtual i64 steps() const = 0;
  virtual Real time() const = 0;
  virtual u64 hash() = 0;
  virtual bool was_complete() const = 0;
  virtual const RunFolder& folder() const = 0;
  LoadedScene scene;
  bool stop = false;
};

template <int D>
class Simulation::BodyOf final : public Body {
 public:
  BodyOf(LoadedScene loaded, RunOptions options, Listener& listener)
      : options_(std::move(options)), listener_(listener) {
    scene = std::move(loaded);
    built_ = build_scene<D>(scene, options_.device, parents_of<D>(scene, options_, listener_));
    for (const std::string& note : scene.input->notes()) listener_.notes(note);
  }

  void record(RunFolder folder) override {
    if (runner_ || recorder_) throw std::logic_error("a simulation is recorded from its first step on, once");
    if (changed_) throw std::logic_error("a sample that was changed is not the one of its scene: it is not recorded");
    keep_scene(scene, folder);
    recorder_.emplace(std::move(folder), built_, scene, scene.input->resolved(), options_, listener_);
    recorder_->create();
  }
  void resume(RunFolder folder) override {
    recorder_.emplace(std::move(folder), built_, scene, scene.text, options_, listener_);
    resumed_ = recorder_->load();
  }

  lab::Result advance(const lab::Limit& limit) override {
    stop = false;  // a listener may stop the run while it starts
    runner();
    if (result_.outcome == lab::Outcome::until || result_.outcome == lab::Outcome::interrupted)
      result_ = runner_->advance(limit);
    return result_;
  }
  lab::Runner<D>& runner() {
    if (!runner_) start();
    return *runner_;
  }

  State<D>& sample() {
    if (runner_ || recorder_) throw std::logic_error("a sample is changed before its first step, and not when it is recorded");
    changed_ = true;
    return built_.experiment.state;
  }

  lab::Row row() override {
    runner();
    built_.experiment.method->fetch(built_.experiment.state);
    return lab::row_of(runner_->channels, runner_->look());
  }
  Summary finish() override {
    if (!recorder_) throw std::logic_error("this simulation is not recorded");
    runner();
    return recorder_->finish(result_, result_.outcome == lab::Outcome::until ? runner_->leave() : runner_->figures);
  }
  i64 steps() const override { return built_.experiment.state.globals.step; }
  Real time() const override { return built_.experiment.state.globals.time; }
  u64 hash() override {
    built_.experiment.method->fetch(built_.experiment.state);
    return talus::state_hash(built_.experiment.state);
  }
  bool was_complete() const override { return resumed_ && recorder_->was_complete(); }
  const RunFolder& folder() const override { return recorder_.value().folder(); }

 private:
  // Before the first step: forces of the sample as placed, first row; or the state of a checkpoint.
  void start() {
    lab::Hooks<D> hooks = recorder_ ? recorder_->hooks() : lab::Hooks<D>{};
    hooks.wants_progress = [this] { return listener_.wants_progress(); };
    hooks.progress = [this](const lab::Progress& p) { listener_.progress(p); };
    hooks.stop = [this] { return stop || listener_.wants_stop(); };
    hooks.clock = exec::now;
    runner_.emplace(built_.experiment, hooks, on_device(scene, options_.device));
    if (recorder_) recorder_->attach(*runner_);
    listener_.begins(steps());
    result_ = runner_->start(resumed_);
    if (result_.outcome != lab::Outcome::done) return;
    // Stopped after its last checkpoint and before its summary: only the latter is missing.
    if (recorder_ && recorder_->protocol_done())
      result_ = runner_->verdict();
    else
      result_.outcome = lab::Outcome::until;
  }

  RunOptions options_;
  Listener& listener_;
  scene::Scene<D> built_;
  std::optional<Recorder<D>> recorder_;
  std::optional<lab::Runner<D>> runner_;
  lab::Result result_;  // of the last call; `until`: it can go on
  bool resumed_ = false;
  bool changed_ = false;  // the sample is no longer the one of the scene
};

Simulation::Simulation(LoadedScene scene, RunOptions options, Listener& listener) {
  if (scene.heading.dimension == 2)
    body_ = std::make_unique<BodyOf<2>>(std::move(scene), std::move(options), listener);
  else
    body_ = std::make_unique<BodyOf<3>>(std::move(scene), std::move(options), listener);
}

Simulation Simulation::open(const std::string& scene, const std::vector<std::string>& settings, RunOptions options,
                            Listener& listener) {
  const fs::path path = find_scene(scene);
  return Simulation(load_scene(path, settings, path.parent_path()), std::move(options), listener);
}

Simulation Simulation::resume(const fs::path& path, RunOptions options, Listener& listener) {
  RunFolder folder = RunFolder::open(path);
  folder.claim();
  return resume(std::move(folder), std::move(options), listener);
}

Simulation Simulation::resume(RunFolder folder, RunOptions options, Listener& listener) {
  Simulation s(load_scene(folder.scene(), {}, folder.path() / "inputs"), std::move(options), listener);
  s.body_->resume(std::move(folder));
  return s;
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::record(const std::optional<fs::path>& folder) {
  body_->record(RunFolder::create(folder, body_->scene.path.stem().string()));
}

lab::Result Simulation::step(i64 steps) { return body_->advance({.step = body_->steps() + steps}); }
lab::Result Simulation::run(Real until) { return body_->advance({.time = until}); }
void Simulation::stop() { body_->stop = true; }

i64 Simulation::steps() const { return body_->steps(); }
Real Simulation::time() const { return body_->time(); }
u64 Simulation::state_hash() { return body_->hash(); }
lab::Row Simulation::row() { return body_->row(); }

template <int D>
State<D>& Simulation::sample() {
  return dynamic_cast<BodyOf<D>&>(*body_).sample();
}
template State<2>& Simulation::sample();
template State<3>& Simulation::sample();

template <int D>
lab::Observation<D> Simulation::look() {
  return dynamic_cast<BodyOf<D>&>(*body_).runner().look();
}
template lab::Observation<2> Simulation::look();
template lab::Observation<3> Simulation::look();

bool Simulation::was_complete() const { return body_->was_complete(); }
Summary Simulation::finish() { return body_->finish(); }
const LoadedScene& Simulation::scene() const { return body_->scene; }
const RunFolder& Simulation::folder() const { return body_->folder(); }

Listener& Simulation::nobody() {
  static Listener silent;
  return silent;
}

}  // namespace talus::simulation
