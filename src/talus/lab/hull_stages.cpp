#include <talus/lab/hull_stages.hpp>

#include <talus/geometry/coat_section.hpp>
#include <talus/geometry/hull_manifold.hpp>
#include <talus/geometry/sieve_size.hpp>
#include <talus/sampling/hull_forms.hpp>
#include <talus/sampling/read_hull_forms.hpp>

namespace talus::lab {

namespace {

template <int D>
class NoSteps : public Stage<D> {
 public:
  NoSteps() {
    this->traits.has_steps = false;
    this->traits.needs_contacts = false;
  }
  bool done(const Observation<D>&) const override { return true; }
  double progress(const Observation<D>&) const override { return 1; }
};

template <int D>
class Sieve final : public NoSteps<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Sieve>();
    const u64 seed = u64(in.integer("seed", 0, 1000000000, 1, "seed of random shapes"));
    s->forms_ = sampling::read_hull_forms(in, dim::length, seed);
    return s;
  }
  void figures(const Observation<D>&, Figures& out) const override {
    Real size = 0, volume = 0, surface = 0;
    for (const Hull& hull : forms_.hulls) {
      const Real sieve = sieve_size(scaled(hull, forms_.size).corners), unit = sieve / forms_.size;
      size += sieve;
      volume += hull.volume / (unit * unit * unit);
      surface += hull.surface / (unit * unit);
    }
    const Real n = Real(forms_.hulls.size());
    out.push_back({"sieve_size_mm", 1e3 * size / n, "mm", {"side of the smallest square hole that the grain passes; of several, the mean", "sieve size", "d_s"}, ""});
    out.push_back({"volume_unit", volume / n, "1", {"volume over the cube of the sieve size; of several, the mean", "volume at unit sieve size", "V_1"}, ""});
    out.push_back({"surface_unit", surface / n, "1", {"surface over the square of the sieve size; of several, the mean", "surface at unit sieve size", "S_1"}, ""});
  }

 private:
  sampling::HullForms forms_;
};

// Two cubes, a face of one opposite a face of the other.
template <int D>
class CoatPair final : public NoSteps<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<CoatPair>();
    s->edge_ = in.number("edge", dim::length, Range::positive(), std::nullopt, "edge of both cubes");
    s->coat_ = in.number("coat", dim::length, Range::not_negative(), std::nullopt, "thickness of the coat on each");
    s->gap_ = in.number("gap", dim::length, Range::not_negative(), std::nullopt, "between the faces of the cubes themselves");
    s->shift_ = in.numbers("shift", dim::length, Range::any(), 2, std::vector<Real>{0, 0}, "of one cube along the two directions of the faces");
    return s;
  }
  StageFlaw flaw(const Model<D>&, const State<D>&) const override {
    if (coat_ < edge_ / 2) return {};
    return {"the coat is as thick as half the grain", "state less than half of edge", "coat"};
  }
  void figures(const Observation<D>&, Figures& out) const override {
    const Hull cube = make_hull(sampling::box_points({1, 1, 1}));
    const PlacedHull below(cube, edge_, {}, {}), above(cube, edge_, {}, {shift_[0], shift_[1], edge_ + gap_});
    const HullManifold m = find_manifold(above.view(), below.view(), 0, 2 * coat_);
    Real overlap = 0, area = 0, volume = 0;
    if (m.nearest.gap < 2 * coat_) {
      overlap = 2 * coat_ - m.nearest.gap;
      area = common_section(above.view(), coat_, below.view(), coat_, m.nearest.at, m.nearest.normal).area;
      volume = common_volume(above.view(), coat_, below.view(), coat_, m.nearest.normal);
    }
    out.push_back({"overlap_mm", 1e3 * overlap, "mm", {"overlap of the two coats along their shortest distance", "overlap of the coats", "u"}, ""});
    out.push_back({"contact_area_mm2", 1e6 * area, "mm2", {"section that both coats have in the plane half way between the cubes", "area of contact", "A"}, ""});
    out.push_back({"overlap_volume_mm3", 1e9 * volume, "mm3", {"volume that both coated cubes fill", "overlap volume", "V_u"}, ""});
    out.push_back({"coat_volume_mm3", 1e9 * coat_volume(cube, edge_, coat_), "mm3", {"volume of the coat of one cube", "volume of a coat", "V_c"}, ""});
  }

 private:
  Real edge_ = 0, coat_ = 0, gap_ = 0;
  std::vector<Real> shift_;
};

}  // namespace

template <int D>
std::vector<StageKind<D>> hull_stages() {
  return {{"sieve", "no steps: sieve size, volume and surface of a form of grains", &Sieve<D>::read},
          {"coat-pair", "no steps: where the coats of two cubes meet, face to face", &CoatPair<D>::read}};
}

template std::vector<StageKind<2>> hull_stages();
template std::vector<StageKind<3>> hull_stages();

}  // namespace talus::lab
