#pragma once
// Channels of the computation: what steps have shown since the last row, inertia, servos.
#include <talus/lab/experiment.hpp>
#include <talus/measure/conditions.hpp>

namespace talus::lab {

// Of what the method tells of its steps.
template <int D>
Channel<D> shown_by_steps(std::string name, std::string unit, std::string meaning, Real (*value)(const SinceRow&),
                          FinalFigure figure = {}, std::string progress = {}) {
  Channel<D> out{std::move(name),    std::move(unit),
                 std::move(meaning), [value](const Observation<D>& s) { return value(s.since_row); },
                 std::move(figure),  std::move(progress)};
  out.since_row = value;
  return out;
}

template <int D>
ChannelGroup<D> overlap_channels() {
  return {[](const Experiment<D>&) -> Channels<D> {
    return {shown_by_steps<D>(
        "max_overlap", "1", "largest overlap over the smaller radius in any step since the last row",
        [](const SinceRow& s) { return s.overlap; },
        {Reduce::most, "max_overlap", "largest overlap over the smaller radius, all stages"}, "overlap")};
  }};
}

template <int D>
ChannelGroup<D> inertia_channels() {
  return {[](const Experiment<D>&) -> Channels<D> {
    return {{"inertial_number", "1",
             "ε̇ D50 √(ρ/p): ε̇ the largest component of the cell's velocity gradient, or the speed of a wall over the "
             "extent "
             "of the sample, ρ the mean density of the grains times density_scale; 0 without pressure",
             [](const Observation<D>& s) { return measure::inertial_number(s.model, s.state, s.stress(), s.box()); }}};
  }};
}

template <int D>
ChannelGroup<D> servo_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>&) -> Channels<D> {
    return {{"servo_error", "1",
             "largest |stress − target| of a held component over the servo's reference, or |force − target|/target of "
             "a wall",
             [](const Seen& s) { return s.servo_error(); }},
            {"servo_limited", "1", "steps since the start in which a servo ran at its fastest",
             [](const Seen& s) { return Real(s.state.globals.servo_limited); }}};
  }};
}

template <int D>
ChannelGroup<D> multi_contact_channels() {
  return {
      [](const Experiment<D>&) -> Channels<D> {
        return {shown_by_steps<D>(
            "contraction", "1",
            "largest factor by which errors of forces change from pass to pass, since the last row; at 1 there is no "
            "equilibrium any more",
            [](const SinceRow& s) { return s.contraction; })};
      },
      "multi_contact", [](const Experiment<D>& x) { return x.model.bulge.acts(); }};
}

template <int D>
ChannelGroup<D> solver_channels() {
  return {
      [](const Experiment<D>&) -> Channels<D> {
        Channels<D> out{
            shown_by_steps<D>(
                "solver_residual", "1", "largest residual that the solver left in any step since the last row",
                [](const SinceRow& s) { return s.residual; },
                {Reduce::most, "residual_max", "largest residual that the solver left, over the mean normal impulse"}),
            shown_by_steps<D>("solver_sweeps", "1", "sweeps per step, mean since the last row",
                              [](const SinceRow& s) { return s.steps > 0 ? Real(s.sweeps) / Real(s.steps) : 0; },
                              {Reduce::mean, "iterations_mean", "sweeps of the solver per step"}),
            shown_by_steps<D>("solver_capped", "1", "steps since the last row that were given up at max_sweeps",
                              [](const SinceRow& s) { return Real(s.capped); },
                              {Reduce::sum, "cap_hits", "steps in which the solver gave up at max_sweeps"})};
        if constexpr (D == 2)
          out.insert(out.begin() + 1, {"state_residual",
                                       "1",
                                       "residual of the last step, computed from the state without asking the solver",
                                       [](const Observation<2>& s) { return measure::contact_residual(s.state); },
                                       {Reduce::most, "state_residual_max",
                                        "the same, computed from the state at the rows of the series"}});
        return out;
      },
      "method impulse", [](const Experiment<D>& x) { return D == 2 && x.model.method == Method::impulse; }};
}

}  // namespace talus::lab
