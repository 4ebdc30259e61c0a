#pragma once
// Channels of the contacts: coordination, fabric, forces, chains, and how far the sample is from rest.
#include <talus/lab/experiment.hpp>

namespace talus::lab {

template <int D>
ChannelGroup<D> coordination_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>&) -> Channels<D> {
    return {
        {"Z",
         "1",
         "contacts per grain; one between grains counts for both, so 2 N_c/N_p without walls; parts of compounds that "
         "touch count each",
         [](const Seen& s) { return s.coordination().all; },
         {Reduce::last, "Z_final", {"2 contacts / grains at the end", "coordination number at the end", "Z_end", FigureGroup::sample}}},
        {"Z_mechanical", "1",
         "(Σ contacts of grains − N_1)/(N_p − N_0 − N_1), N_0 and N_1 grains with none and one (Thornton)",
         [](const Seen& s) { return s.coordination().mechanical; }},
        {"rattlers", "1", "(N_0 + N_1)/N_p: share of grains with fewer than two contacts",
         [](const Seen& s) { return s.coordination().rattlers; }}};
  }};
}

template <int D>
ChannelGroup<D> fabric_channels() {
  return {[](const Experiment<D>&) {
    Channels<D> out;
    for (int i = 0; i < D; ++i)
      out.push_back(one_of<D>({"fabric_ii", "1", "(1/N_c) Σ n_i² over contacts between grains",
                               [i](const Observation<D>& s) { return s.fabric()(i, i); }},
                              "ii", std::string(2, "xyz"[i])));
    return out;
  }};
}

template <int D>
ChannelGroup<D> force_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>&) -> Channels<D> {
    return {{"force_mean", "N", "mean normal contact force", [](const Seen& s) { return s.forces().mean; }},
            {"force_deviation", "N", "standard deviation of normal contact forces",
             [](const Seen& s) { return s.forces().deviation; }},
            {"force_max", "N", "largest normal contact force", [](const Seen& s) { return s.forces().most; }},
            {"mobilised_friction", "1", "mean of tangential over normal force",
             [](const Seen& s) { return s.forces().mobilised; }}};
  }};
}

template <int D>
ChannelGroup<D> chain_channels() {
  return {[](const Experiment<D>&) -> Channels<D> {
            if constexpr (D == 2)
              return {{"chains",
                       "1",
                       "force chains of three grains and more (Peters et al. 2005)",
                       [](const Observation<2>& s) { return Real(s.chains().count()); },
                       {Reduce::last, "chains_final", {"force chains of three grains and more at the end", "force chains at the end", "", FigureGroup::sample}}},
                      {"chain_length",
                       "1",
                       "mean number of grains in a chain",
                       [](const Observation<2>& s) { return s.chains().mean_length(); },
                       {Reduce::last, "chain_length_final", {"their mean length in grains", "mean length of a force chain", "", FigureGroup::sample}}},
                      {"chain_share",
                       "1",
                       "share of all grains that are in a chain",
                       [](const Observation<2>& s) { return s.chains().share(); },
                       {Reduce::last, "chain_share_final", {"share of all grains that are in them", "share of grains in force chains", "", FigureGroup::sample}}}};
            return {};
          },
          "probes.chains, in the plane", [](const Experiment<D>& x) { return x.cadence.chains; }};
}

template <int D>
ChannelGroup<D> unbalanced_channels() {
  return {[](const Experiment<D>&) -> Channels<D> {
    return {
        {"unbalanced",
         "1",
         "Σ |resultant|/Σ (sum of |f| on the grain) over all grains; weight included (a falling grain counts with it), "
         "damping left out; 1 without contacts",
         [](const Observation<D>& s) { return s.unbalanced(); },
         {Reduce::last, "unbalanced_final", {"unbalanced force ratio at the end", "unbalanced force at the end", "", FigureGroup::quality}},
         "unbalanced"}};
  }};
}

}  // namespace talus::lab
