#include <talus/sph/element.hpp>

namespace talus::sph {
namespace {

// Density over that at rest at a pressure, by Newton's rule: whose bits are the same everywhere.
Real ratio_under(const matter::Tait& rest, Real pressure) {
  Real ratio = 1 + pressure / rest.modulus();
  for (int k = 0; k < 12; ++k) ratio -= (rest.pressure(ratio) - pressure) / rest.tangent(ratio);
  return ratio;
}

// Shortened by `step` along `axis`. The sides give way until their stress is the confining pressure: bisection of their strain,
// since a plastic step has kinks.
matter::Answer shorten(const matter::Matter& m, const matter::Memory& before, Real ratio, Real step, Real confining, int axis) {
  const auto answer_to = [&](Real side) {
    matter::Deformation by;
    by.strain = {side, side, side, 0, 0, 0};
    (axis == 1 ? by.strain.yy : by.strain.zz) = -step;
    return m.respond(before, ratio * (1 - (2 * side - step)), by);
  };
  Real low = -step, high = 2 * step;
  for (int k = 0; k < 60; ++k) {
    const Real middle = Real(0.5) * (low + high);
    const matter::Answer a = answer_to(middle);
    (a.pressure - a.memory.deviator.xx > confining ? low : high) = middle;  // too much stress: the sides give way farther
  }
  return answer_to(Real(0.5) * (low + high));
}

}  // namespace

template <int D>
void begin_path(const Options<D>& o, const MaterialPath& path, State<D>& state) {
  Particles<D>& p = state.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const matter::Tait& rest = o.matter[p.material[i]].volume;
    p.density[i] = rest.density * ratio_under(rest, path.confining);
    p.pressure[i] = path.confining;
    p.deviator[i] = {};
  }
}

template <int D>
void follow_path(const Options<D>& o, const MaterialPath& path, State<D>& state) {
  Particles<D>& p = state.particles;
  const Real step = path.strain / Real(path.steps);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const matter::Matter& m = o.matter[p.material[i]];
    const matter::Memory before{p.deviator[i], p.plastic_strain[i], p.dilation[i]};
    const Real ratio = p.density[i] / m.volume.density;
    Mat3 shear{};
    shear(0, 1) = step;
    const matter::Answer a = path.kind == Path::shear ? m.respond(before, ratio, matter::Deformation::of(shear, 1))
                                                      : shorten(m, before, ratio, step, path.confining, D - 1);
    p.deviator[i] = a.memory.deviator;
    p.plastic_strain[i] = a.memory.plastic_strain;
    p.dilation[i] = a.memory.dilation;
    p.density[i] = a.ratio * m.volume.density;
    p.pressure[i] = a.pressure;
  }
}

template void begin_path(const Options<2>&, const MaterialPath&, State<2>&);
template void begin_path(const Options<3>&, const MaterialPath&, State<3>&);
template void follow_path(const Options<2>&, const MaterialPath&, State<2>&);
template void follow_path(const Options<3>&, const MaterialPath&, State<3>&);

}  // namespace talus::sph
