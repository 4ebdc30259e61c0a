#include <talus/io/vtk_folder.hpp>

#include "../random_state.hpp"
#include "scratch_folder.hpp"

using namespace talus;
using namespace talus::testing;

// The content of .vtp files is read back with VTK itself: tests/scenario/read_vtk.py.

namespace {
class Vtk : public ScratchFolder {};

// Balls without walls and contacts, at any step.
template <int D>
struct Balls {
  State<D> state = random_state<D>(3, 0, 0, 1);
  Model<D> model;
  Balls() {
    model.shapes.resize(1);
    for (u32& shape : state.bodies.shape) shape = 0;
  }
  Moment<D> at(i64 step) {
    state.globals.step = step;
    state.globals.time = 0.1 * Real(step);
    return {model, state, none, start};
  }
  ContactList<D> none;
  TestStart<D> start;
};
}  // namespace

TEST_F(Vtk, FolderListsItsPicturesWithTimes) {
  Balls<2> balls;
  VtkFolder vtk(folder / "vtk");
  for (const i64 step : {0, 10, 10}) vtk.write(balls.at(step));  // one that is there already is not listed again
  EXPECT_EQ(bytes_of(folder / "vtk" / "grains.pvd"),
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
            "  <Collection>\n"
            "    <DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"grains-000000000000.vtp\"/>\n"
            "    <DataSet timestep=\"1\" group=\"\" part=\"0\" file=\"grains-000000000010.vtp\"/>\n"
            "  </Collection>\n</VTKFile>\n");
  EXPECT_EQ(count_files(folder / "vtk"), 9u);
}

TEST_F(Vtk, FolderOfAResumedRunIsThatOfAnUninterruptedOne) {
  Balls<3> balls;
  const auto write = [&](VtkFolder& vtk, std::initializer_list<i64> steps) {
    for (const i64 step : steps) vtk.write(balls.at(step));
  };
  VtkFolder whole(folder / "a");
  write(whole, {0, 10, 20, 30});
  VtkFolder stopped(folder / "b");
  write(stopped, {0, 10, 20});
  stopped.write_stop(balls.at(20));  // there is a picture of this time
  EXPECT_EQ(count_files(folder / "a"), count_files(folder / "b") + 3);
  stopped.write_stop(balls.at(24));
  EXPECT_TRUE(std::filesystem::exists(folder / "b" / "grains-000000000024-stop.vtp"));
  EXPECT_TRUE(says(bytes_of(folder / "b" / "grains.pvd"), "grains-000000000024-stop.vtp"));
  auto resumed = VtkFolder::resume(folder / "b", 0.1 * Real(10));
  write(resumed, {20, 30});
  for (const char* name : {"grains.pvd", "contacts.pvd", "cell.pvd"})
    EXPECT_EQ(bytes_of(folder / "a" / name), bytes_of(folder / "b" / name));
  EXPECT_EQ(count_files(folder / "a"), count_files(folder / "b"));

  put_bytes(folder / "b" / "cell.pvd", "<DataSet timestep=\"soon\" file=\"x\"/>\n");
  EXPECT_TRUE(says(complaint([&] { VtkFolder::resume(folder / "b", 1); }), "cell.pvd:1: is not a collection"));
}

TEST_F(Vtk, FolderThatCannotBeMadeIsAFileError) {
  put_bytes(folder / "file", "");
  EXPECT_TRUE(says(complaint<FileError>([&] { VtkFolder vtk(folder / "file" / "vtk"); }), "Not a directory"));
}

// A picture of where a run was stopped, and then the run goes on in the same process.
TEST_F(Vtk, PictureOfAStopGoesWithTheNext) {
  Balls<3> balls;
  VtkFolder vtk(folder / "vtk");
  vtk.write_stop(balls.at(5));
  vtk.write(balls.at(10));
  EXPECT_EQ(bytes_of(folder / "vtk" / "grains.pvd").find("stop"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "vtk" / "grains-000000000005-stop.vtp"));
}

TEST_F(Vtk, ContactAcrossThePeriodIsDrawnToTheImage) {
  State<2> state;
  state.globals.cell.h(0, 0) = 10;
  state.globals.cell.h(1, 1) = 10;
  state.globals.cell.periodic = {1, 1};
  state.bodies.resize(3);
  state.walls = 1;
  state.bodies.position[0] = {-0.2, 25};  // one period left, two up
  state.bodies.position[1] = {0.3, 5};
  const ContactSample<2> across{{0, 1, 0}, 0, 1, 0, {-1, 0}, {-0.5, 0}, {-3, 4}, 0.1, 0, {}};
  const ContactSample<2> wall{{1, 2, 0}, 1, 2, 3, {0, 1}, {0, 5}, {0, 2}, 0.1, 0, {}};
  const auto lines = contact_lines<2>(state, {across, wall});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NEAR(lines[0].from.x, 9.8, 1e-14);  // rounding of one subtraction near 10
  EXPECT_NEAR(lines[0].to.x, 10.3, 1e-14);
  EXPECT_EQ(lines[0].from.y, 5);
  EXPECT_EQ(lines[0].normal_force, 3);
  EXPECT_EQ(lines[0].shear_force, 4);
  EXPECT_EQ(lines[1].to.y, 0);
  EXPECT_EQ(lines[1].law, 3);
  EXPECT_EQ(lines[0].force.y, 4);
  EXPECT_EQ(lines[1].normal.y, 1);
}
