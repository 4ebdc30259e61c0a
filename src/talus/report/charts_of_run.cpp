#include <talus/report/charts_of_run.hpp>

#include <talus/lab/dam_break.hpp>
#include <talus/report/chart_builder.hpp>
#include <talus/report/charts_of_cycles.hpp>
#include <talus/report/charts_of_profile.hpp>

namespace talus::report {
namespace {

Chart titled(std::string group, std::string title, std::string y_label = {}, std::string note = {},
             bool log_y = false) {
  Chart chart;
  chart.group = std::move(group);
  chart.title = std::move(title);
  chart.y_label = std::move(y_label);
  chart.note = std::move(note);
  chart.log_y = log_y;
  return chart;
}

constexpr const char* mechanical_note =
    "Z counts all grains; the mechanical coordination number leaves out grains with fewer than two contacts.";

void add_shear(ChartBuilder& b) {
  const std::string group = "Response to shear";
  const Quantity axial{"axial_strain", "Axial strain", true}, tilt{"shear_strain", "Shear strain", true};
  const bool is_tilted = !b.moves(axial.column, Over::shear) && b.moves(tilt.column, Over::shear);
  const Quantity strain = is_tilted ? tilt : axial;
  for (const Quantity& x : {axial, tilt}) b.see(x.column);
  b.set_test_axis(strain);
  const std::vector<Quantity> q{{"q", "Deviator stress q"}};

  if (is_tilted)
    b.add(titled(group, "Shear stress", "Shear stress"), strain,
          {{"sigma_xz", "σ xz"}, {"sigma_yz", "σ yz"}, {"sigma_xy", "σ xy"}}, Over::shear);
  else
    b.add(titled(group, "Deviator stress"), strain, q, Over::shear);
  b.add(titled(group, "Volumetric strain", "", "Compression is positive: the curve falls where the sample dilates."),
        strain, {{"volumetric_strain", "Volumetric strain", true}}, Over::shear);
  if (!is_tilted) b.add(titled(group, "Stress path"), {"p", "Mean stress p"}, q, Over::shear);
  b.add(titled(group, "Porosity", "Porosity"), strain,
        {{"porosity", "whole sample"}, {"porosity_ball", "measurement ball"}}, Over::shear);
  b.add(titled(group, "Coordination number", "Contacts per grain", b.has("Z_mechanical") ? mechanical_note : ""),
        strain, {{"Z", "Z"}, {"Z_mechanical", "Z mechanical"}}, Over::shear);
  b.add(titled(group, "Fabric", "Fabric tensor", "Mean of n ⊗ n over the contacts; equal components are isotropic."),
        strain, {{"fabric_xx", "xx"}, {"fabric_yy", "yy"}, {"fabric_zz", "zz", false, true}}, Over::shear);
  b.add(titled(group, "Copies of the cell", "",
               "Mean correlation between the displacements of copies of a grain since shear began, less the cell's strain: 1 when "
               "all copies move alike."),
        strain, {{"replica_correlation", "Correlation"}}, Over::shear);
}

void add_rowe(ChartBuilder& b) {
  const Quantity strain{"rowe_strain", "Travel of the platen / pitch of rows"};
  b.set_test_axis(strain);
  b.add(
      titled("Response to shear", "Ratio of stresses", "Vertical over horizontal stress",
             "Rowe's ratio is that of one interface that slides while all else is rigid, for discs that cannot roll."),
      strain, {{"ratio", "lower platen"}, {"ratio_top", "upper platen"}},
      Over::shear, {{"ratio_theory", "lower platen", false, false, "Rowe 1962"}});
  b.see("platen_speed");
}

// A packing that a platen presses in level by level. Before the first cycle that counts there is only the path as it was.
void add_cycles(ChartBuilder& b, const std::vector<Ensemble>& ensembles) {
  if (!b.has("top_force")) return;
  const auto charts = charts_of_cycles(ensembles);
  for (const Chart& chart : charts) b.add(chart);
  if (charts.empty())
    b.add(titled("Cycles of compression", "Force on the platen", "", "No cycle that counts was completed."),
          {"travel", "Travel of the platen"}, {{"top_force", "Force on the platen"}}, Over::run);
  b.add(titled("Quality of the computation", "Contraction"), b.time(), {{"contraction", "Contraction"}}, Over::run);
  for (const char* column : {"settled", "cycle", "level", "loading", "branch_mean", "force_mean_grains", "travel",
                             "top_force", "Z_strong", "Z_any", "phi_inside", "scaling"})
    b.see(column);
  for (int k = 0; k < 100; ++k) b.see("f_class_" + std::string(k < 10 ? "0" : "") + std::to_string(k));
}

void add_biaxial(ChartBuilder& b) {
  const std::string group = "Response to shear";
  const Quantity strain{"eps_a", "Axial strain", true};
  b.set_test_axis(strain);
  b.add(titled(group, "Mobilised angle of friction", "",
               "sin φ = (σ1 - σ2) / (σ1 + σ2), row by row; figures are of stresses averaged over 0.1 % of strain."),
        strain, {{"phi_m", "Mobilised angle φ"}}, Over::shear);
  b.add(titled(group, "Volumetric strain", "", "Compression is positive: the curve falls where the sample dilates."),
        strain, {{"eps_v", "Volumetric strain", true}}, Over::shear);
  b.add(titled(group, "Void ratio"), strain, {{"void_ratio", "Void ratio"}}, Over::shear);
  b.add(titled(group, "Stresses", "Stress",
               "Forces on the platens over the mean width; of the membrane over the height."),
        strain, {{"sigma1", "cap", false, true}, {"sigma1_base", "base"}, {"sigma2", "membrane"}}, Over::shear);
  b.add(titled(group, "Force of the membrane"), strain, {{"ray_force_ratio", "Force applied", true}}, Over::shear);
  b.see("mean_width");
}

// A liquid: its front, its pressure at rest, and how well a step holds what it must.
void add_liquid(ChartBuilder& b) {
  if (!b.has("compression")) return;
  if (b.has("front")) {
    Chart front = titled("Motion of the liquid", "Front of the collapse", "Front / width of the column");
    Curve measured;
    measured.label = "Martin and Moyce 1952";
    for (const lab::FrontPoint& p : lab::martin_moyce()) {
      measured.x.push_back(p.time);
      measured.y.push_back(p.place);
    }
    front.reference.push_back(std::move(measured));
    b.add(std::move(front), {"dam_time", "Time √(2g/a)"}, {{"front", "computed"}}, Over::run);
    b.add(titled("Motion of the liquid", "Height", "Height / width of the column"), {"dam_time", "Time √(2g/a)"},
          {{"column_height", "highest particle"}}, Over::run);
  }
  const std::string group = "Quality of the computation";
  const Quantity& time = b.time();
  b.add(titled(group, "Compression"), time, {{"compression", "Largest compression", true}}, Over::run);
  b.add(titled(group, "Speed over that of sound"), time, {{"mach", "Largest speed / sound speed"}}, Over::run);
  b.add(titled(group, "Time step"), time, {{"dt_mean", "Time step"}}, Over::run);
  b.add(titled(group, "Error of the pressure", "", "", true), time, {{"pressure_error", "Root mean square / exact"}}, Over::run);
  for (const char* column : {"particles", "mass_drift_rel", "momentum_drift_rel", "wall_crossings", "dt"}) b.see(column);
}

void add_gyratory(ChartBuilder& b) {
  const std::string group = "Compaction";
  const Quantity turns{"gyration", "Gyrations"};
  b.add(titled(group, "Voids", "", "1 − h_min/h, h_min the volume of the grains over the mould's area."), turns,
        {{"voids", "Voids", true}}, Over::run);
  b.add(titled(group, "Height", "Height"), turns, {{"height", "specimen"}, {"h_min", "without voids"}}, Over::run);
  b.add(titled(group, "Who carries the load", "Upward force on the grains"), turns,
        {{"base_force_z", "base"}, {"mould_force_z", "mould"}, {"platen_load", "load of the platen", false, true}}, Over::run);
  for (const char* column : {"gyration", "platen_weight", "grains_weight"}) b.see(column);
}

// Oedometer, direct shear, cyclic loading, heap, drum.
void add_wall_tests(ChartBuilder& b) {
  const std::string group = "Result of the test";
  const Quantity load{"sigma_v", "Vertical stress"}, way{"shear_displacement", "Shear displacement"}, turns{"drum_turns", "Turns of the drum"};
  for (const auto& [title, y] : {std::pair{"Compression curve", Quantity{"e", "Void ratio e"}}, {"Earth pressure at rest", {"K0", "Horizontal / vertical stress K0"}}}) {
    Chart chart = titled(group, title);
    chart.log_x = true;
    b.add(std::move(chart), load, {y}, Over::after_first);
  }
  if (b.has(way.column)) b.set_test_axis(way);
  b.add(titled(group, "Shear stress against displacement", "Stress"), way, {{"shear_stress", "shear stress", false, true}, {"normal_stress", "normal stress"}}, Over::shear);
  b.add(titled(group, "Dilation", "", "It rises where the sample dilates."), way, {{"lid_rise", "Position of the lid"}}, Over::shear);
  b.add(titled(group, "Loops"), {"loop_strain", "Strain", true}, {{"loop_stress", "Stress"}}, Over::shear);
  b.add(titled(group, "Slope of the heap", "", ""), b.time(), {{"surface_angle", "Slope"}}, Over::run);
  b.add(titled(group, "Slope of the bed", "", ""), turns, {{"bed_angle", "Slope"}}, Over::last_stage);
  b.add(titled(group, "Torque of the drum", "", ""), turns, {{"drum_torque", "Torque"}}, Over::last_stage);
  for (const char* column : {"half_cycles", "drum_turns", "froude", "sigma_v"}) b.see(column);
}

// Two coated grains, one law.
void add_coats(ChartBuilder& b) {
  const std::string group = "Coats";
  const Quantity time{"coat_time", "Time"};
  b.add(titled(group, "Overlap of the coats", "", "Pressed, held by the grains themselves, drawn apart."), time, {{"coat_overlap", "Overlap"}}, Over::run,
        {{"coat_overlap_exact", "Overlap", false, false, "closed form, no inertia"}});
  b.add(titled(group, "Force of the coats", "", "Compression is positive: while the grains are held the coats relax, then they pull."), time,
        {{"coat_force", "Force"}}, Over::run, {{"coat_force_exact", "Force", false, false, "closed form, no inertia"}});
  b.see(time.column);
}

void add_profile(ChartBuilder& b, const std::vector<Ensemble>& ensembles) {
  for (const Chart& chart : charts_of_profile(ensembles)) b.add(chart);
  for (const std::string& column : columns_of_profile(ensembles)) b.see(column);
}

void add_stages(ChartBuilder& b) {
  const std::string group = "Through the stages";
  const Quantity& time = b.time();
  b.add(titled(group, "Stress", "Stress", "Compression is positive."), time,
        {{"sigma_xx", "σ xx"}, {"sigma_yy", "σ yy"}, {"sigma_zz", "σ zz", false, true}}, Over::run,
        {{"target_xx", "σ xx"}, {"target_yy", "σ yy"}, {"target_zz", "σ zz"}});
  b.add(titled(group, "Shear stress", "Stress"), time,
        {{"sigma_xy", "σ xy"}, {"sigma_xz", "σ xz", false, true}, {"sigma_yz", "σ yz"}}, Over::run);
  for (const char* ji : {"yx", "zx", "zy"}) b.see(std::string("sigma_") + ji);  // equal to the ones above at rest
  b.add(titled(group, "Porosity", "Porosity"), time,  // of the test it stands above
        {{"porosity", "whole sample"}, {"porosity_ball", "measurement ball"}}, b.has("eps_a") ? Over::run : Over::preparation);
  b.add(titled(group, "Coordination number", "Contacts per grain"), time,
        {{"Z", "Z"}, {"Z_mechanical", "Z mechanical"}}, b.has("eps_a") ? Over::run : Over::preparation);
}

void add_grains(ChartBuilder& b) {
  const std::string group = "Grains and contacts";
  const Quantity& time = b.time();
  b.add_sizes();
  b.add(titled(group, "Contact force", "Normal force"), time,
        {{"force_mean", "mean"}, {"force_deviation", "standard deviation"}, {"force_max", "largest"}}, Over::run);
  b.add(titled(group, "Grains without support"), time, {{"rattlers", "Rattlers", true}}, Over::run);
  b.add(titled(group, "Mobilised friction"), time, {{"mobilised_friction", "Mobilised friction"}}, Over::run);
}

void add_checks(ChartBuilder& b) {
  const std::string group = "Quality of the computation";
  const Quantity& time = b.time();
  b.add(titled(group, "Residual of the contact solver", "Residual",
               "Violation of Signorini's and Coulomb's conditions by the impulses, over the mean normal impulse: the largest that the "
               "solver reports since the row before, and one computed from the state.",
               true),
        time, {{"solver_residual", "solver"}, {"state_residual", "from the state"}}, Over::run);
  b.add(titled(group, "Sweeps of the contact solver", "", "", true), time, {{"solver_sweeps", "Sweeps per step"}},
        Over::run);
  b.add(titled(group, "Steps not converged"), time, {{"solver_capped", "Steps"}}, Over::run);
  b.add(titled(group, "Unbalanced force", "", "", true), time, {{"unbalanced", "Unbalanced force ratio"}}, Over::run);
  b.add(titled(group, "Largest net force on a grain", "", "", true), time, {{"net_force_rel", "Over the mean contact force"}}, Over::run);
  b.add(titled(group, "Support over weight"), time, {{"reaction_ratio", "Support over weight"}}, Over::run);
  b.add(titled(group, "Inertial number", "", "Below 10⁻³ the response hardly depends on the rate.", true), time,
        {{"inertial_number", "Inertial number I"}}, Over::run);
  b.add(titled(group, "Overlap", "Overlap / R"), time,
        {{"overlap_99", "99 % of the contacts stay below", true, true}, {"max_overlap", "largest", true}}, Over::run);
  b.add(titled(group, "Servo error", "", "", true), time, {{"servo_error", "Servo error"}}, Over::run);
}

void add_energy(ChartBuilder& b) {
  const std::string group = "Energy";
  const Quantity& time = b.time();
  std::vector<Quantity> works;
  for (const auto& [column, name] : {std::pair{"boundary_work", "boundary work"},
                                     {"gravity_work", "gravity"},
                                     {"growth_work", "growth of grains"},
                                     {"initial_energy", "held at the start"},
                                     {"friction_work", "friction"},
                                     {"viscous_work", "viscous damping"},
                                     {"local_damping_work", "local damping"},
                                     {"stiffness_work", "change of stiffness"},
                                     {"model_work", "multi-contact model"},
                                     {"wall_work", "walls at rest"},
                                     {"diffusion_work", "diffusion of density"},
                                     {"removed_kinetic", "motion taken out"}})
    works.push_back({.column = column, .name = name, .from_zero = true});
  b.add(titled(group, "Work done and energy dissipated", "Energy, from 0 on the left",
               "Each entry is measured on its own; none is a remainder of the others."),
        time, works, Over::run);
  b.add(titled(group, "Energy held, and energy-balance error", "Energy"), time,
        {{"kinetic", "kinetic"},
         {"elastic_normal", "elastic, normal", false, true},
         {"elastic_shear", "elastic, shear"},
         {"compression_energy", "compression"},
         {"residual", "energy-balance error"}},
        Over::run);
  b.add(titled(group, "Energy-balance error"), time, {{"energy_residual_rel", "Energy-balance error", true}},
        Over::run);
}

}  // namespace

std::vector<Chart> charts_of_runs(const std::vector<Ensemble>& ensembles) {
  ChartBuilder b(ensembles);
  add_rowe(b);
  add_cycles(b, ensembles);
  if (b.has("gyration")) add_gyratory(b);
  add_profile(b, ensembles);
  if (b.has("eps_a"))
    add_biaxial(b);
  else
    add_shear(b);
  add_wall_tests(b);
  add_liquid(b);
  if (b.has("coat_overlap")) add_coats(b);
  add_stages(b);
  add_grains(b);
  add_energy(b);
  add_checks(b);
  for (const char* ij : {"xy", "xz", "yz"}) b.see(std::string("fabric_") + ij);
  b.add_unknown();
  return b.take();
}

}  // namespace talus::report
