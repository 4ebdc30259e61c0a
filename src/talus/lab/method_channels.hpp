#pragma once
// Channels of the computation: what steps have shown since the last row, inertia, servos.
#include <talus/lab/experiment.hpp>

namespace talus::lab {

template <int D>
ChannelGroup<D> overlap_channels() {
  return {[](const Experiment<D>&) -> Channels<D> {
    Channel<D> out{"max_overlap",
                   "1",
                   "largest overlap over the smaller radius in any step since the last row",
                   [](const Observation<D>& s) { return s.since_row.overlap; },
                   {Reduce::most, "max_overlap", {"largest overlap over the smaller radius, all stages", "largest overlap", "δ_max/R", FigureGroup::quality}},
                   "overlap"};
    out.since_row = [](const SinceRow& s) { return s.overlap; };
    return {out,
            {"overlap_99",
             "1",
             "overlap over the smaller radius that 99 % of the contacts stay below",
             [](const Observation<D>& s) { return measure::overlap_below(s.state, s.contacts(), 0.99); }}};
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
            {"servo_limited", "1", "steps since the start in which a servo ran at its speed limit",
             [](const Seen& s) { return Real(s.state.globals.servo_limited); }}};
  }};
}

// What the method tells of its steps.
template <int D>
ChannelGroup<D> diagnostic_channels() {
  return {[](const Experiment<D>& x) {
            const Method<D>* method = x.method.get();
            const Diagnostics all = method->diagnostics(x.model);
            Channels<D> out;
            for (std::size_t k = 0; k < all.size(); ++k) {
              const Diagnostic& d = all[k];
              FinalFigure figure;
              if (!d.figure.empty())
                figure = {d.reduce == Reduce::last ? Reduce::most : d.reduce, std::string(d.figure),
                          d.definition};
              Channel<D> c{std::string(d.name), std::string(d.unit), std::string(d.about),
                           [method, k](const Observation<D>& s) { return method->now(k, s.state); }, figure};
              if (d.reduce != Reduce::last) {
                c.since_row = [k, how = d.reduce](const SinceRow& s) { return s.value(k, how); };
                c.value = [of = c.since_row](const Observation<D>& s) { return of(s.since_row); };
              }
              c.needs = d.needs.empty() ? "method " + std::string(method->word()) : std::string(d.needs);
              out.push_back(std::move(c));
            }
            return out;
          },
          "method", [](const Experiment<D>& x) { return x.method != nullptr; }};
}

}  // namespace talus::lab
