#pragma once
// A method: what moves a sample. Scenes, protocols, commands and reports ask this object and never which method it is.
// It holds its own options and what it may forget between two steps. Only set-up throws (InputError); a step never does.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <talus/core/input.hpp>
#include <talus/method/diagnostics.hpp>
#include <talus/method/first_step.hpp>
#include <talus/method/refusals.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

template <int D>
class Method {
 public:
  Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;
  virtual ~Method() = default;
  virtual std::string_view word() const = 0;  // as a scene calls it
  // Another one with the same options that has seen no sample yet.
  virtual std::unique_ptr<Method> fresh() const = 0;

  // ---- set-up ----------------------------------------------------------------------------------------------------------
  // Its own tables of a scene. `chosen` or not: a scene may be run by either method, so all of them read theirs.
  virtual void read(Input& scene, bool chosen) = 0;
  // Do its contacts follow a law of the pair? Then materials are elastic and every pair has a law.
  virtual bool needs_laws() const = 0;
  // The law of all pairs where the method's own table names it, instead of [contact]; nothing: it does not.
  virtual std::string law() const { return ""; }
  virtual Real coat() const { return 0; }  // m, of mortar on each grain
  // Does it move grains that touch? If not, it places particles of its own, and nothing that looks at contacts applies.
  virtual bool has_grains() const { return true; }
  virtual std::string_view unit_word() const { return "grain"; }  // what a message calls one of them
  // Particles as the scene lays them, once cell and walls are known.
  virtual void place(Input& /*scene*/, Model<D>&, State<D>&) {}
  // These refuse what it cannot run. The first is asked before anything else is read.
  virtual void check_dimension(const Input& /*scene*/) const {}
  virtual void check_grains(const Input& /*group*/, std::string_view /*shape*/, const Material&) const {}
  virtual void check_laws(const Input& /*scene*/, const Model<D>&, bool /*polygons*/) const {}
  virtual void check_multi_contact(const Input& table) const {
    table.fail("model", "multi-contact models need soft contacts", "set method = \"dem\", or model = \"independent\"");
  }
  virtual void check_stage(const Input& table, std::string_view kind, const Column<WallDrive<D>>& drives,
                           const CellDrive<D>& cell) const = 0;
  // The sample as placed, and the step it is to start with.
  virtual void check_start(Input& scene, const Model<D>& model, const State<D>& state) const = 0;
  virtual FirstStep first_step(const Model<D>& model, const State<D>& state) const = 0;

  // ---- stages of the protocol ------------------------------------------------------------------------------------------
  // When a stage begins. `first`: the step of the scene, s.
  virtual void begin_stage(const StageSettings&, Real /*first*/, State<D>&) {}
  // Then, and after a resume.
  virtual void plan_stage(const StageSettings&) {}
  // Do contacts hold energy that is lost when their wall or grain is taken away?
  virtual bool contacts_hold_energy() const = 0;

  // ---- steps -----------------------------------------------------------------------------------------------------------
  // Forces of the sample as it is, without motion: before the first step.
  virtual Steps prepare(const Model<D>& model, State<D>& state) = 0;
  // Finds neighbours anew, after a resume or when bodies were changed. A status.
  virtual u32 rebuild(const Model<D>& model, State<D>& state) = 0;
  // Moves on by `steps` steps, fewer if a check fails. A step is the same whatever call it is made in.
  virtual Steps advance(const Model<D>& model, State<D>& state, i64 steps) = 0;
  // Every so many steps: the time step follows the contacts. Says why the run must stop, or nothing.
  virtual std::string follow_contacts(const Model<D>&, State<D>&, Real /*first*/) { return ""; }

  // ---- what others look at ---------------------------------------------------------------------------------------------
  // The touching contacts with the forces of the last step, in key order.
  virtual ContactList<D> contacts(const Model<D>& model, const State<D>& state) const = 0;
  // The body that a status complains about (uid), and the sentence that explains it.
  virtual u32 culprit(const Model<D>& model, const State<D>& state, u32 status) const = 0;
  virtual std::string explain(u32 status, const Complaint& complaint) const = 0;
  virtual Diagnostics diagnostics(const Model<D>&) const { return {}; }
  // The k-th of them where it is computed from the state of this moment.
  virtual Real now(std::size_t /*k*/, const State<D>&) const { return 0; }
  // Of a run whose last stage is done: why it has failed all the same, or nothing. `in_all`: of the diagnostics.
  virtual std::string verdict(const std::vector<Real>& /*in_all*/, i64 /*steps*/) const { return ""; }
  // The step with which the cost of a sample as placed is measured, and what is to be said of that cost.
  virtual Real trial_dt(Real dt) const { return dt; }
  virtual std::string_view cost_remark() const { return ""; }
  // From here each step makes as many sweeps of its solver as one of the grains packed is guessed to make. False: it makes none, or
  // nobody knows; a step costs the same at any time.
  virtual bool sweep_as_packed(const State<D>&) { return false; }

  // ---- device ----------------------------------------------------------------------------------------------------------
  // While steps run on a device the state has the globals of this moment; bodies and rows are those of the last `fetch`.
  virtual std::string no_device(const Model<D>&) const {  // why it cannot run there, or nothing
    return "method " + std::string(word()) + " has no device path yet";
  }
  virtual void use_device() {}
  virtual bool on_device() const { return false; }
  virtual void fetch(State<D>&) {}
  // Somebody changed bodies, rows or the model.
  virtual void changed() {}
  // A job that only looks at bodies and rows as they are now: done while a device makes its next steps.
  virtual void later(std::function<void()> job) { job(); }
  virtual void flush() {}  // does what is still to be done
};

}  // namespace talus
