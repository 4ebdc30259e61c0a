#pragma once
// State: all that changes during a run. A checkpoint is exactly this, and so is what the hash covers.
#include <talus/geometry/cell.hpp>
#include <talus/state/bodies.hpp>
#include <talus/state/particles.hpp>
#include <talus/state/hull_patches.hpp>
#include <talus/state/patches.hpp>
#include <talus/state/rows.hpp>
#include <talus/state/springs.hpp>

namespace talus {

// What a stage remembers, as plain words: lab/stage_memory.hpp gives them names.
struct StageWords {
  Real real[8]{};
  i64 count[4]{};
};

// The lab stage that is running.
template <int D>
struct StageMemory {
  i64 index = 0;       // which stage
  i64 first_step = 0;  // step at which it began
  Real start_time = 0;
  Mat<D> start_h{};  // m, cell at its start
  StageWords words;
};

template <int D>
struct Globals {
  i64 step = 0;
  Real time = 0;            // s
  Real dt = 0;              // s
  Real friction_scale = 1;  // ramped by stages
  Real radius_scale = 1;    // ramped by stages
  Real radius_rate = 0;     // 1/s, change of the radius scale
  Vec<D> gravity{};         // m/s^2
  Cell<D> cell;
  Mat<D> virial{};           // J, sum over contacts of force on a (x) branch from b to a; compression positive
  Real boundary_work = 0;    // J, put in through the deforming cell and through moving walls
  Real removed_kinetic = 0;  // J, taken out by stages that stop all motion
  i64 servo_limited = 0;     // steps in which a servo ran at its speed limit
  Real initial_energy = 0;   // J, held by the sample at step 0
  StageMemory<D> stage;
  u64 hash = 0;    // head of the hash chain
  i64 hashes = 0;  // links in the chain

  template <class Self, class F>
  static constexpr void visit(Self& s, F&& f) {
    f(About{"step", "1", "steps done"}, s.step);
    f(About{"time", "s", "simulated time"}, s.time);
    f(About{"dt", "s", "time step"}, s.dt);
    f(About{"friction_scale", "1", "multiplies friction coefficients"}, s.friction_scale);
    f(About{"radius_scale", "1", "multiplies radii"}, s.radius_scale);
    f(About{"radius_rate", "1/s", "rate of the radius scale"}, s.radius_rate);
    f(About{"gravity", "m/s^2", "acceleration of gravity"}, s.gravity);
    f(About{"cell_h", "m", "cell matrix, edges are columns"}, s.cell.h);
    f(About{"cell_rate", "1/s", "velocity gradient of the cell"}, s.cell.rate);
    f(About{"cell_periodic", "1", "1 where an edge repeats"}, s.cell.periodic);
    f(About{"virial", "J", "stress times volume, compression positive"}, s.virial);
    f(About{"boundary_work", "J", "work of cell and walls"}, s.boundary_work);
    f(About{"removed_kinetic", "J", "kinetic energy removed by stages"}, s.removed_kinetic);
    f(About{"servo_limited", "1", "steps in which a servo ran at its speed limit"}, s.servo_limited);
    f(About{"initial_energy", "J", "held by the sample at step 0"}, s.initial_energy);
    f(About{"stage_index", "1", "running stage"}, s.stage.index);
    f(About{"stage_first_step", "1", "its first step"}, s.stage.first_step);
    f(About{"stage_start_time", "s", "its start"}, s.stage.start_time);
    f(About{"stage_start_h", "m", "cell at its start"}, s.stage.start_h);
    f(About{"stage_real", "1", "its memory"}, s.stage.words.real);
    f(About{"stage_count", "1", "its counters"}, s.stage.words.count);
    f(About{"hash", "1", "head of the hash chain"}.not_hashed(), s.hash);
    f(About{"hashes", "1", "links in the hash chain"}.not_hashed(), s.hashes);
  }
};

// A table as visitors see it.
struct AboutTable {
  std::string_view name;
  std::string_view group = {};  // of tables that belong together
  bool has_walls = false;       // its last rows, State::walls of them, are driven bodies and stay last
};

template <int D>
struct State {
  Globals<D> globals;
  Bodies<D> bodies;
  u32 walls = 0;            // the last `walls` bodies are driven
  RowTables<Laws<D>> rows;  // of the explicit method
  Patches patches;          // of contact dynamics
  Springs springs;          // of the explicit method on polygons
  Particles<D> particles;   // of continuum methods
  HullPatches hull_patches;  // of contact dynamics in space

  // All tables: a new one is listed here.
  template <class Self, class F>
  static constexpr void visit_tables(Self& s, F&& f) {
    f(AboutTable{"bodies", {}, true}, s.bodies);
    for_each_law([&]<std::size_t L>() {
      f(AboutTable{std::tuple_element_t<L, Laws<D>>::name, "rows"}, std::get<L>(s.rows.of));
    });
    f(AboutTable{"patches"}, s.patches);
    f(AboutTable{"springs"}, s.springs);
    f(AboutTable{"particles"}, s.particles);
    f(AboutTable{"hull_patches"}, s.hull_patches);
  }

  std::size_t grains() const { return bodies.size() - walls; }
  std::size_t units() const { return grains() + particles.size(); }  // what moves on its own
  template <std::size_t L>
  auto& rows_of() {
    return std::get<L>(rows.of);
  }
  template <std::size_t L>
  const auto& rows_of() const {
    return std::get<L>(rows.of);
  }
};

// Nothing of the state is hidden from its visitors: what they list fills it, but for the padding of integers.
template <int D>
constexpr bool lists_all_globals() {
  std::size_t bytes = 0;
  Globals<D>::visit(members_of<Globals<D>>(), [&](const About&, auto& value) { bytes += sizeof(value); });
  return sizeof(Globals<D>) - bytes < sizeof(Real);
}
template <int D>
constexpr bool lists_all_tables() {
  std::size_t bytes = sizeof(Globals<D>) + sizeof(Real);  // with the number of walls
  bool all = true;
  State<D>::visit_tables(members_of<State<D>>(), [&]<class Table>(const AboutTable&, Table& table) {
    bytes += sizeof(table);
    all = all && lists_all_columns<Table>;
  });
  return all && bytes == sizeof(State<D>);
}
static_assert(lists_all_globals<2>() && lists_all_globals<3>(), "a value is missing in Globals::visit");
static_assert(lists_all_tables<2>() && lists_all_tables<3>(), "a table is missing in visit_tables, or a column in visit");

}  // namespace talus
