#pragma once
// Scratch of the explicit method: may be dropped between any two steps and is made anew from Model and State.
#include <array>
#include <vector>

#include <talus/neighbours/grid.hpp>
#include <talus/state/state.hpp>

namespace talus::dem {

// Where the rows of one law point to.
struct RowIndex {
  Column<u32> body_a, body_b;  // indices of the bodies with the smaller and the larger uid
  Column<u32> params;          // constants of their pair; empty: there is only one
  Column<u32> tile;            // first row of each tile of bodies; one more at the end
  Column<u32> lasting;         // rows with a body far off: their results outlive their slot in the ring; see Plan
  Column<u32> lasting_tile;    // the first of them of each tile; one more at the end
  Column<u32> lasting_slot;    // where they go, from the first such slot on: in order of the tile that reads them
  Column<u32> read_tile;       // the first such slot that a tile reads; one more at the end. Both empty without rings
  u32 first = 0;               // number of the law's first row in the common count
  u32 slots = 0;               // first slot of the results of its rows
  u32 lasting_slots = 0;       // first slot of the results that last
};

// How the host goes through the tiles, and where it puts the results of rows. In small samples each row has a slot of its
// own. In large ones a chunk has a ring of slots for each law, so that most results never leave the cache: row r goes to
// slot r modulo the ring. What is read after the ring has come round, or when all chunks are done, is copied to a slot
// that lasts.
struct Plan {
  std::size_t parts = 0;           // threads; 0: no plan yet
  u32 each = 1;                    // chunks of a thread
  std::vector<std::size_t> first;  // tile of each chunk; one more at the end
  u32 ring = 0;                    // slots of a ring, a power of two; 0: each row has its own
};
inline constexpr u32 usual_ring = 4096;

// A row as one of its bodies sees it, with what does not change until the next rebuild.
struct BodyRow {
  u32 entry;             // row * 2 + (1 if the body is b)
  u32 partner_and_kind;  // index of the other body; highest bit: it is a wall, the next: across a periodic face
  static constexpr u32 wall_bit = 1u << 31, image_bit = 1u << 30;
  TALUS_HD u32 row() const { return entry >> 1; }
  TALUS_HD u32 second() const { return entry & 1u; }
  TALUS_HD Real sign() const { return 1 - 2 * Real(second()); }
  TALUS_HD u32 partner() const { return partner_and_kind & (image_bit - 1); }
  TALUS_HD bool is_wall() const { return partner_and_kind & wall_bit; }
  TALUS_HD bool has_image() const { return partner_and_kind & image_bit; }
};

// Grains are taken in tiles of so many. A row belongs to the tile of its body that comes first.
inline constexpr std::size_t tile_size = 64;
inline constexpr std::size_t tiles_ahead = 10;  // bodies of this tile are prefetched: most partners lie nearer than that
inline constexpr std::size_t rows_ahead = 600;  // the memory of these rows is prefetched: three tiles or so
inline constexpr std::size_t most_chunks = 6;   // that a thread's share is cut into
inline constexpr std::size_t few_tiles = 4;     // up to so many are not shared out among threads
inline std::size_t tiles_of(std::size_t grains) { return (grains + tile_size - 1) / tile_size; }

// What is known of a row between two rebuilds. Most rows that touch have none of these.
enum RowMark : u8 {
  row_inactive = 1,    // it does not touch, remembers nothing, and adds nothing
  row_image = 2,    // its bodies meet across a periodic face
  row_wall = 4,     // one of them is a wall
  row_lasts = 8,    // its results are copied to a slot that lasts
  row_listed = 16,  // sums read its slot in a ring at every step: it may not become inactive
};

// What has become of a body's inactive rows since the rebuild. Any but the first is true for `set_flag`'s readers.
enum Activation : u8 {
  none_activated = 0,
  some_activated = 1,  // one has come to touch, and the list of active rows does not have it yet
  activated_listed = 2,
};

// What a contact must know of a body, side by side: three transactions of a device's memory instead of eight.
template <int D, class T = Real>
struct alignas(2 * sizeof(T)) Moving {  // so that a device moves two words at a time
  Vec<D, T> position;
  T radius;  // m, scaled; 0 for walls
  Vec<D, T> velocity;
  T inverse_mass;
  Spin<D, T> spin;
  T pad;
};

// A record of a column in code that is written for vectors V: a device reads it as a whole, two words at a time, the host
// where it lies.
template <class V, class Record>
using Held = std::conditional_t<is_vec<V>, std::remove_cv_t<Record>, Record&>;

// How much is kept of each row: forces only; also the branch for the stress; also the energy entries. `any`: what there are columns
// for, seen at run time. It serves grains that do not turn, which are rare: two kernels of each law less to compile.
enum class Keep { forces, stress, ledger, any };

// What one row does to its bodies: one line of the cache, on the device too. Two definitions, since an empty member that
// takes no room on the host takes some on the device.
template <int D, class T = Real>
struct alignas(8 * sizeof(T)) RowPush {
  Vec<D, T> force;   // N on a
  Spin<D, T> twist;  // N, normal x force: an arm along the normal makes a moment of it
  T depth;           // m, radius minus this is the arm
  T skew;            // m, by which the arm of a is longer still, and that of b shorter
};
template <class T>
struct alignas(8 * sizeof(T)) RowPush<2, T> {
  Vec<2, T> force;
  Spin<2, T> twist;
  T depth, skew, pad[3] = {};
};
static_assert(sizeof(RowPush<2>) == 64 && sizeof(RowPush<3>) == 64);

// Energy entries of one row in one step, J.
template <class T>
struct RowWorkOf {
  T friction, viscous, stiffness, growth;
  TALUS_HD RowWorkOf& operator+=(const RowWorkOf& other) {
    friction += other.friction;
    viscous += other.viscous;
    stiffness += other.stiffness;
    growth += other.growth;
    return *this;
  }
  TALUS_HD friend RowWorkOf operator*(const T& s, const RowWorkOf& w) {
    return {s * w.friction, s * w.viscous, s * w.stiffness, s * w.growth};
  }
};
using RowWork = RowWorkOf<Real>;

// What the kernels of one step say about it.
struct Tally {
  Real moved = 0;    // m^2, largest displacement since the last rebuild
  Real overlap = 0;  // largest overlap over the smaller radius
  Real fastest = 0;  // infinite when a velocity is not finite
  Real deepest = 0;  // largest overlap since somebody looked
  // Of multi-contact models, see multi_contact.ipp.
  Real contraction = 0;                  // factor by which errors of forces change from pass to pass
  Real steepest = 0;                     // its largest since somebody looked
  Real displacement = 0;                        // largest displacement over the radius
  Real trend_scale = 0, seed_scale = 0;  // how the slowest mode goes on, and how it begins
  Real change = 0, strongest = 0;        // N, of an iteration: largest change of a force, largest force
  u32 status = 0;
  u32 solved = 0;  // 1: an iteration has come to its end, good or bad. On a device no more of it runs
  u32 halted = 0;  // 1: the step waits for new lists; 2: a check failed. On a device nothing runs until it is cleared
};

// What moving bodies needs, whatever their contacts are: the records that steps know bodies by, when lists grow old, and what
// a step says about itself.
template <int D>
struct MotionScratch {
  // Nobody looks between this step and the next: velocities of the records are half a kick ahead, forces are not kept.
  bool ahead = false;
  Real local_damping = 0;        // as the step was told
  bool walls_spin = false;       // does a wall turn? Told by the host, where the plan of the walls lies
  Column<Moving<D>> moving;      // one per body
  Column<Vec<D>> reference;      // fractions of the cell at the last rebuild
  Mat<D> reference_h{};
  Real reference_scale = 1, skin = 0, largest_radius = 0;
  Column<Mat<D>> virial_of_uid;  // J; empty when nobody needs the stress
  Column<Mat<D>> virial;         // one: their sum
  Column<Mat<D>> virial_parts;   // leaves of that sum, on a device
  Column<Vec<D>> wall_force;     // N, before the step
  Column<Spin<D>> wall_torque;   // N m about the wall's position, likewise
  Column<Real> wall_push;        // N, sum of normal forces, likewise; empty: no wall closes in
  Column<Real> reference_way;    // m, how far walls had closed in at the last rebuild; likewise
  Column<Tally> tally;           // one
  Column<Globals<D>> globals;    // one, when the state lies on a device
};

// Where kernels find the globals: in the state, or beside its columns on a device.
template <int D>
Globals<D>* globals_of(State<D>& state, MotionScratch<D>& s) {
  return s.globals.empty() ? &state.globals : s.globals.data();
}

template <int D>
struct Scratch : MotionScratch<D> {
  bool valid = false;  // false: rebuild before the next use
  std::array<RowIndex, law_count> index;
  Plan plan;
  std::vector<std::vector<u32>> waiting;  // bodies with rows of another thread, of each thread
  u32 ring = usual_ring;                  // slots of a ring, a power of two; tests make it small
  // Results of rows, one entry per slot.
  Column<RowPush<D>> push;
  Column<Vec<D>> branch;   // m from b to a; empty when nobody needs the stress
  Column<Spin<D>> couple;  // N m on a beyond the moment of the force; empty when no law has one
  Column<RowWork> work;    // empty without an energy ledger
  // One entry per row of all laws.
  Column<Vec<D>> kept;  // N on a, of the last step of a call; empty when each row has a slot of its own
  Column<u8> marks;     // RowMark
  // Of multi-contact models, one entry per row of all laws; empty without one.
  Column<Real> bound;  // m, of each body: the furthest that it can bulge
  // On the host: rows of each body, first those that were not inactive at the rebuild, each kind in order of the partner's uid.
  Column<BodyRow> body_rows;
  Column<u32> idle;          // of each body: its first inactive row among them
  Column<u8> close;          // of row * 2 + (1: as b sees it); 0: an inactive row that no displacement can make touch in this step
  Column<Sides> trend;       // m/N, what the slowest mode does to the surfaces of both bodies
  Column<Real> trial;        // N, forces of an iteration; empty when none runs
  Column<Real> model_work;   // J, of this step; empty without a ledger
  Column<Vec2> mode_of_uid;  // squares of mode and force of each body's contacts
  Column<Vec2> mode_sum, mode_parts;  // one: their sum; leaves of it on a device
  // Rows of each body in order of the partner's uid: row * 2 + (1 if the body is b). All of them, and from the same place
  // on those that were not inactive when they were listed, by their slots: all that a body's sums need.
  Column<u32> incidence_start, incidence;
  Column<u32> active_end, active;
  Column<u8> activated;          // Activation, of each body
  Column<u32> earliest;      // smallest index of a partner that comes before a body; on the host
  i64 rebuilds = 0;

  // All that a back end keeps in its own memory; `globals` is there on a device alone.
  template <class F>
  void each_column(F&& f) {
    for (RowIndex& one : index)
      f(one.body_a), f(one.body_b), f(one.params), f(one.tile), f(one.lasting), f(one.lasting_tile),
          f(one.lasting_slot), f(one.read_tile);
    f(push), f(branch), f(couple), f(work), f(kept), f(marks), f(this->moving), f(incidence_start), f(incidence);
    f(active_end), f(active), f(activated), f(earliest);
    f(bound), f(body_rows), f(idle), f(close), f(trend), f(trial), f(model_work), f(mode_of_uid), f(mode_sum),
        f(mode_parts);
    f(this->reference), f(this->virial_of_uid), f(this->virial), f(this->virial_parts), f(this->wall_force), f(this->wall_torque),
        f(this->wall_push), f(this->reference_way), f(this->tally);
  }
};

// The force of a row in the last step of a call, N on its first body; the row touched then.
template <int D>
const Vec<D>& force_of(const Scratch<D>& s, std::size_t row) {
  return s.kept.empty() ? s.push[row].force : s.kept[row];
}

}  // namespace talus::dem
