// talus sample: where the bodies of a run are, for [sample] of another scene.
#include <cmath>

#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/core/input_error.hpp>
#include <talus/io/checkpoint.hpp>
#include <talus/io/series.hpp>
#include <talus/io/text_file.hpp>

namespace talus::app {
namespace fs = std::filesystem;
namespace {

template <int D>
std::string places(const fs::path& checkpoint, bool motion) {
  State<D> state;
  read_checkpoint(checkpoint, state);
  for (int k = 0; k < D; ++k)
    if (state.globals.cell.periodic[k])
      throw InputError(checkpoint.string(), 0, "", "places alone do not tell how a periodic cell was deformed",
                       "hand over samples between walls");
  if (state.globals.radius_scale != 1)
    throw InputError(checkpoint.string(), 0, "",
                     "the grains of this run have grown: their radii are no longer those of the scene",
                     "hand over a sample whose stages do not scale radii");
  const Bodies<D>& b = state.bodies;
  const bool turns = D == 2 && !b.turn.empty();
  std::string text = std::string("uid,radius [m],gyration [m],x [m],y [m]") + (D == 3 ? ",z [m]" : "") +
                     (turns ? ",turn [rad]" : "");
  if (motion) text += D == 2 ? ",vx [m/s],vy [m/s],spin [1/s]" : ",vx [m/s],vy [m/s],vz [m/s],wx [1/s],wy [1/s],wz [1/s]";
  text += "\n";
  for (std::size_t i = 0; i < b.size(); ++i) {  // in order of uids: a checkpoint is
    const Real inertia = b.inverse_inertia[i] > 0 ? 1 / b.inverse_inertia[i] : 0;
    text += std::to_string(b.uid[i]) + "," + shortest(b.radius[i]) + "," +
            shortest(inertia > 0 ? std::sqrt(inertia / b.mass[i]) : 0);
    for (int k = 0; k < D; ++k) text += "," + shortest(b.position[i][k]);
    if (turns) text += "," + shortest(b.turn[i].x);
    for (int k = 0; motion && k < D; ++k) text += "," + shortest(b.velocity[i][k]);
    for (int k = 0; motion && k < Spin<D>::size; ++k) text += "," + shortest(b.spin[i][k]);
    text += "\n";
  }
  return text;
}

}  // namespace

int write_sample(const fs::path& run, const fs::path& out, bool motion) {
  fs::path checkpoint = run;
  if (fs::is_directory(run)) {
    const auto found = newest_checkpoint(run);
    if (!found)
      throw InputError(run.string(), 0, "", "the folder has no checkpoint",
                       "name the folder of a run, or a checkpoint");
    if (!found->message.empty()) fmt::print(stderr, "talus: {}\n", found->message);
    checkpoint = found->path;
  }
  need_folder_of(out);
  if (fs::exists(out))
    throw InputError(out.string(), 0, "", "the file is there already", "choose another name, or remove it");
  write_text_atomic(out, checkpoint_dimension(checkpoint) == 2 ? places<2>(checkpoint, motion) : places<3>(checkpoint, motion));
  fmt::print("{}: where the bodies of {} are\n", out.string(), checkpoint.string());
  return 0;
}

}  // namespace talus::app
