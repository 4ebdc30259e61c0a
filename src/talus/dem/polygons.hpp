#pragma once
// The explicit method on convex polygons, rounded polygons and discs of the plane, by the linear law: springs between the
// corners of one core polygon and the other core polygon (docs/design/017). On the host only.
#include <talus/dem/step.hpp>
#include <talus/geometry/core_polygon.hpp>
#include <talus/stages/pair_list.hpp>

namespace talus::dem::polygons {

// Where a body is, as its pairs see it.
struct Placed {
  Vec2 position, velocity;
  Real cosine = 1, sine = 0, spin = 0, inverse_mass = 0;
  Real depth = 0, radius = 0;  // m, radius scale included

  Vec2 turned(const Vec2& v) const { return {cosine * v.x - sine * v.y, sine * v.x + cosine * v.y}; }
  Vec2 turned_back(const Vec2& v) const { return {cosine * v.x + sine * v.y, cosine * v.y - sine * v.x}; }
};

// The same as its contacts see it. Not kept: the core polygon lies in the model, of which a run makes a new one now and then.
struct Outlined : Placed {
  CorePolygonView core;  // without the radius scale

  bool is_disc() const { return core.edges.size == 1; }
};
CorePolygonView core_of(const Model<2>& model, const Bodies<2>& bodies, std::size_t i);  // none of a wall

// What a pair does to its bodies in this step.
struct Action {
  Vec2 force;               // N on a
  Real moment_a, moment_b;  // N m about the centres
  Vec2 branch;              // m, from b to a; at a wall from the contact to the centre
};

enum Standing : u8 { apart, touching, opening };  // opening: its ledger entries are still to be made

// May be dropped between any two steps.
struct Scratch : MotionScratch<2> {
  PairList pairs;
  // One per pair of the list.
  Column<u32> params;    // of the law
  Springs memory;        // the state keeps those that remember something
  Column<u8> touches;    // Standing
  Column<Real> recheck;  // m: a pair apart is not looked at before bodies have travelled this far
  Column<Vec2> axis;     // unit, from b to a: where corners that may touch are looked for; changes no result
  Column<Action> action;
  Column<RowWork> work;  // of the ledger
  Real travelled = 0;    // m: no gap has become narrower by more since the last search

  Column<Placed> placed;        // of the bodies, in their order
  Column<u32> first, incident;  // pairs of each body in order of keys: twice the pair, plus one on its second side
};

// Moves the state on; stops early when something is wrong.
StepReport step(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& scratch, i64 steps = 1);

// Forces of the positions as they are, without motion.
StepReport prepare(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& scratch);

// Finds pairs anew, with the memory of contacts from the state. A status.
u32 rebuild(const Model<2>& model, State<2>& state, Scratch& scratch);

TimeStepLimit critical_dt(const Model<2>& model, const State<2>& state, const Scratch& scratch);

// The touching pairs with their forces, in order of keys.
ContactList<2> contacts(const Model<2>& model, const State<2>& state, const Scratch& scratch);

u32 culprit(const Model<2>& model, const State<2>& state, const Scratch& scratch, u32 status);

}  // namespace talus::dem::polygons
