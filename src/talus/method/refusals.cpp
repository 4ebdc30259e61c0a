#include <talus/method/refusals.hpp>

namespace talus {

std::string explain_any(u32 status, const Complaint& c) {
  if (status & not_finite)
    return c.grain + " has a position, velocity or force that is not a number" + c.where +
           "; the time step is too long or two grains started on top of one another";
  if (status & lost_history)
    return "a contact with memory was lost by the neighbour search" + c.where + "; this is a defect, please report it";
  if (status & too_many_periods) return "a grain crossed more than 16000 periods of the cell" + c.where;
  return "";
}

template <int D>
void refuse_overlap(Input& scene, const Model<D>& model, const Overlap& deepest, Real limit, const std::string& hint) {
  if (!(deepest.share > limit)) return;
  const std::string first = "grain " + std::to_string(deepest.first);
  const std::string depth = ", by " + std::to_string(100 * deepest.share) + " % of its radius";
  for (const auto& w : model.walls)
    if (w.uid == deepest.second)
      scene.table("boundary", true, "walls")
          ->fail(w.name, first + " starts inside the wall '" + w.name + "'" + depth, hint);
  scene.fail("grains", first + " starts inside grain " + std::to_string(deepest.second) + depth, hint);
}

template void refuse_overlap(Input&, const Model<2>&, const Overlap&, Real, const std::string&);
template void refuse_overlap(Input&, const Model<3>&, const Overlap&, Real, const std::string&);

}  // namespace talus
