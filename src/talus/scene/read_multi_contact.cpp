#include <talus/scene/read_multi_contact.hpp>

#include <algorithm>

namespace talus::scene {

template <int D>
void read_multi_contact(Input& scene, Model<D>& model, const Method<D>& method) {
  if (!scene.has("multi_contact")) return;
  const auto in = scene.table("multi_contact", true, "contacts of a grain that feel one another");
  MultiContactModel& b = model.multi_contact;
  const auto names = multi_contact_names();
  const std::string kind =
      in->choice("model", names, "multi-contact", "how a contact force moves the rest of a grain's surface");
  b.kind = MultiContactKind(std::find(names.begin(), names.end(), kind) - names.begin());
  const Real gamma = in->number("gamma", dim::none, Range::positive(), 1.19,
                                "multiplies every displacement of model multi-contact; the others have 1");
  b.gamma = b.kind == MultiContactKind::multi_contact ? gamma : 1;
  b.self_term = in->flag("self_term", false, "point-on-sphere: effect of a contact on itself beyond Hertz");
  b.tangential = in->flag("tangential", false, "friction forces at contacts move the surface at others, too");
  if (b.tangential && b.kind == MultiContactKind::point_on_sphere)
    in->fail("tangential", "point-on-sphere has normal forces alone: its series is of a load about an axis",
             "leave it out, or choose the model sphere-to-sphere, half-space or multi-contact");
  b.iterate = in->flag("iterate", false,
                       "solve forces and displacements together in each step; false: forces of the last step");
  b.tolerance = in->number("tolerance", dim::none, {0, 1e-2, true, false}, 1e-10,
                           "change of a force over the largest at which an iteration ends");
  b.max_iterations = in->integer("max_iterations", 1, 1000000, 2000, "number of iterations after which the run stops");
  b.reach = in->number("reach", dim::none, {0, 1, true, false}, 0.15,
                       "gaps up to this share of the two radii are watched for displacements that close them");
  if (!b.acts()) return;
  if (D == 2) in->fail("model", "multi-contact models are of space", "set dimension = 3, or model = \"independent\"");
  method.check_multi_contact(*in);
  b.prepare(model.materials);
}

template void read_multi_contact(Input&, Model<2>&, const Method<2>&);
template void read_multi_contact(Input&, Model<3>&, const Method<3>&);

}  // namespace talus::scene
