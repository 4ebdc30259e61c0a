#pragma once
// Channels of the sample as a whole: clock, strain, stress, walls, porosity.
#include <algorithm>
#include <cmath>

#include <talus/lab/experiment.hpp>

namespace talus::lab {

template <int D>
ChannelGroup<D> clock_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>&) -> Channels<D> {
    return {{"step", "1", "steps since the start", [](const Seen& s) { return Real(s.state.globals.step); }},
            {"time", "s", "simulated time since the start", [](const Seen& s) { return s.state.globals.time; }},
            {"stage", "1", "number of the current stage, from 0",
             [](const Seen& s) { return Real(s.state.globals.stage.index); }},
            {"dt", "s", "time step", [](const Seen& s) { return s.state.globals.dt; }}};
  }};
}

template <int D>
ChannelGroup<D> strain_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>&) -> Channels<D> {
    return {
        {"axial_strain", "1",
         "−ln(h_nn/h⁰_nn): strain of the cell along the axis, from 0 in each stage; 0 where walls move and the cell "
         "does not",
         [](const Seen& s) { return s.strain(s.axis); }},
        {"volumetric_strain", "1", "−ln(det h/det h⁰): strain of the cell's volume, from 0 in each stage",
         [](const Seen& s) { return s.volumetric_strain(); }},
        {"shear_strain", "1", "h_kn/h_nn − h⁰_kn/h⁰_nn: tilt of the cell, from 0 in each stage; k the axis after n",
         [](const Seen& s) { return s.tilt((s.axis + 1) % D, s.axis); }}};
  }};
}

// Mean of the normal stresses across the axis of the stage; of those alone that the cell's servo holds, where it holds some.
template <int D>
Real stress_across(const Observation<D>& seen, bool held_alone) {
  Real all = 0, held = 0;
  int axes_held = 0;
  for (int k = 0; k < D; ++k) {
    if (k == seen.axis) continue;
    all += seen.stress()(k, k) / (D - 1);
    held += seen.model.cell.holds_stress(k, k) ? seen.stress()(k, k) : 0;
    axes_held += seen.model.cell.holds_stress(k, k);
  }
  return held_alone && axes_held > 0 ? held / axes_held : all;
}

template <int D>
ChannelGroup<D> stress_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>&) -> Channels<D> {
    Channels<D> out{
        {"q", "Pa", "axial stress σ_nn minus the mean of the other normal stresses",
         [](const Seen& s) { return s.stress()(s.axis, s.axis) - stress_across(s, false); }},
        {"p",
         "Pa",
         "tr σ/D: mean normal stress",
         [](const Seen& s) { return s.pressure(); },
         {Reduce::last, "pressure_final", {"mean normal stress of the contacts at the end", "mean stress at the end", "p_end", FigureGroup::sample}}},
        {"tau", "Pa", "σ_kn: shear stress on the plane that simple shear slides on, k the axis after n",
         [](const Seen& s) { return s.stress()((s.axis + 1) % D, s.axis); }},
        {"sigma_n", "Pa", "σ_nn: normal stress on that plane",
         [](const Seen& s) { return s.stress()(s.axis, s.axis); }},
        {"sigma_lateral", "Pa", "mean of the normal stresses across the axis that are held; of all when none is",
         [](const Seen& s) { return stress_across(s, true); }}};
    const std::string axes = "xyz";
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        out.push_back(one_of<D>({"sigma_ij", "Pa",
                                 "Love–Weber stress (1/V) Σ f_i x_j over contacts, those with walls included, kinetic "
                                 "part left out",
                                 [i, j](const Seen& s) { return s.stress()(i, j); }},
                                "ij", {axes[std::size_t(i)], axes[std::size_t(j)]}));
    return out;
  }};
}

template <int D>
ChannelGroup<D> wall_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>& x) {
            Channels<D> out;
            for (std::size_t w = 0; w < x.model.walls.size(); ++w) {
              const Channels<D> of_wall{
                  {"wall_NAME_force", "N", "normal force of the sample on the wall; of a cylinder that closes in the sum of normal forces",
                   [w](const Seen& s) { return push_on_wall(s.model, s.state, w); }},
                  {"wall_NAME_stress", "Pa", "that force over the current area of the wall",
                   [w](const Seen& s) { return measure::wall_stress(s.model, s.state, w, s.box()); }},
                  {"wall_NAME_position", "m",
                   "position along the wall's normal, which points into the sample: an upper wall at z has −z; of a cylinder how far it has closed in",
                   [w](const Seen& s) { return wall_position(s.model, s.state, w); }}};
              for (const Channel<D>& c : of_wall) out.push_back(one_of(c, "NAME", x.model.walls[w].name));
            }
            return out;
          },
          "walls", [](const Experiment<D>& x) { return !x.model.walls.empty(); }};
}

// What the sample does to a wall, measured once per look for all of its components.
template <int D>
const measure::WallLoad<D>& load_of_wall(const Observation<D>& s, std::size_t wall) {
  return s.once(&s.model.walls[wall], [&] { return measure::wall_load(s.state, s.contacts(), wall); });
}

template <int D>
ChannelGroup<D> wall_load_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>& x) {
            Channels<D> out;
            const std::string axes = "xyz";
            for (std::size_t w = 0; w < x.model.walls.size(); ++w) {
              for (int k = 0; k < D; ++k) {
                const std::string name = std::string("wall_NAME_force_") + axes[std::size_t(k)];
                out.push_back(one_of<D>({name, "N", "component of the force of the sample on the wall",
                                         [w, k](const Seen& s) { return load_of_wall(s, w).force[k]; }},
                                        "NAME", x.model.walls[w].name));
              }
              for (int k = 0; k < Spin<D>::size; ++k) {
                const std::string name = std::string("wall_NAME_moment_") + (D == 2 ? 'z' : axes[std::size_t(k)]);
                out.push_back(one_of<D>({name, "N m",
                                         "component of the moment of those contact forces about the point that the wall "
                                         "stands at; in the plane per metre, as forces are",
                                         [w, k](const Seen& s) { return load_of_wall(s, w).moment[k]; }},
                                        "NAME", x.model.walls[w].name));
              }
            }
            return out;
          },
          "probes.wall_loads",
          [](const Experiment<D>& x) { return x.cadence.wall_loads && !x.model.walls.empty(); }};
}

template <int D>
ChannelGroup<D> porosity_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>&) -> Channels<D> {
    return {{"porosity",
             "1",
             "1 − Σ grain volumes/V (in the plane areas); overlaps count twice",
             [](const Seen& s) { return s.porosity(); },
             {Reduce::last, "porosity_final", {"porosity of the whole sample at the end", "porosity at the end", "n_end", FigureGroup::sample}}}};
  }};
}

template <int D>
Real porosity_in_middle(const Observation<D>& seen, Real share) {
  const Cell<D>& cell = seen.state.globals.cell;
  Vec<D> middle;
  Real smallest = HUGE_VAL;
  for (int k = 0; k < D; ++k) {
    middle[k] = 0.5;
    smallest = std::min(smallest, cell.width(k, inverse(cell.h)));
  }
  return measure::porosity_in_ball(seen.model, seen.state, cell.h * middle, 0.5 * share * smallest);
}

template <int D>
ChannelGroup<D> porosity_ball_channels() {
  return {
      [](const Experiment<D>& x) -> Channels<D> {
        return {{"porosity_ball", "1",
                 "porosity inside a ball in the middle, grains by the exact volume they share with it, images "
                 "included",
                 [share = x.cadence.porosity_ball](const Observation<D>& s) { return porosity_in_middle(s, share); }}};
      },
      "probes.porosity_ball", [](const Experiment<D>& x) { return x.cadence.porosity_ball > 0; }};
}

}  // namespace talus::lab
