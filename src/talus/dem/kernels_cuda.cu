// Compiles every kernel of the explicit method for the device. Running them there is the work of the CUDA back end; this
// file keeps the single source honest until then: a kernel that a device cannot run fails the build where nvcc exists.
#include <talus/dem/contacts.ipp>
#include <talus/dem/motion.ipp>
#include <talus/dem/rebuild.ipp>
#include <talus/exec/device_launch.hpp>

namespace talus::dem {

template <class Kernel>
void compile() {
  exec::launch(0, Kernel{});
}

template <int D, class List>
struct OfEachLaw;
template <int D, class... Law>
struct OfEachLaw<D, std::tuple<Law...>> {
  template <bool Rotation, Keep K>
  static void act() {
    (compile<Act<D, Law, Rotation, K>>(), ...);
    compile<Gather<D, Rotation, K>>();
    compile<BodyForces<D, Rotation, K == Keep::ledger>>();
  }
  static void carry() { (compile<CarryHistory<Law>>(), ...); }
};

template <int D>
void all_kernels() {
  using Each = OfEachLaw<D, Laws<D>>;
  compile<Kick<D, true>>();
  compile<Kick<D, false>>();
  compile<Drift<D>>();
  compile<Wrap<D>>();
  compile<Permute<Vec<D>>>();
  compile<FindPairs<D>>();
  compile<SortIncidence<D>>();
  Each::carry();
  Each::template act<true, Keep::ledger>();
  Each::template act<true, Keep::stress>();
  Each::template act<true, Keep::forces>();
  Each::template act<false, Keep::ledger>();
  Each::template act<false, Keep::stress>();
  Each::template act<false, Keep::forces>();
}
template void all_kernels<2>();
template void all_kernels<3>();

}  // namespace talus::dem
