#!/usr/bin/env python3
"""How grains may start, and what walls bear, against closed forms: free flight and spin from lists, tables and samples; a granular
temperature; force and moment on walls; collisions with a velocity for each body, with spin, and with a rigid target."""
import csv
import math
import pathlib

from program import SOURCE, Faults, done, figures, scratch, sets, state_hash, summary

faults = Faults()
near = faults.near
home = None

SPACE = """\
title = "free flight"
dimension = 3
[material.glass]
density = 2500
young = "1 GPa"
poisson = 0.25
friction = 0.3
[contact]
law = "hertz-mindlin"
[cell]
size = ["1 m", "1 m", "1 m"]
periodic = [0, 0, 0]
[output]
vtk = false
"""
PLANE = SPACE.replace("dimension = 3", "dimension = 2").replace('size = ["1 m", "1 m", "1 m"]\nperiodic = [0, 0, 0]',
                                                                'size = ["1 m", "1 m"]\nperiodic = [0, 0]').replace(
    'law = "hertz-mindlin"', 'law = "linear"\nnormal_stiffness = "1 MPa"\nshear_ratio = 0.5')
FLIGHT = '[[stage]]\nkind = "deform"\nsteps = 400\nrate = {}\n'
STILL = '[[stage]]\nkind = "evaluate"\n'


def run(name, text, *more, **files):
    """Runs a scene; its folder."""
    (home / f"{name}.toml").write_text(text)
    for path, content in files.items():
        (home / f"{path}.csv").write_text(content)
    done("run", f"{name}.toml", "--quiet", "--threads", 1, "--out", name, *more, folder=home)
    return home / name


def bodies(folder):
    """Rows of `talus sample --motion`, columns without units."""
    file = home / f"{folder.name}-bodies.csv"
    done("sample", folder, "--motion", "--out", file)
    return [{name.split(" [")[0]: float(value) for name, value in row.items()} for row in csv.DictReader(file.open())]


def time_of(folder):
    return summary(folder)["provenance"]["time_s"]


def last_row(folder):
    rows = list(csv.DictReader((folder / "series.csv").open()))
    return {name.split(" [")[0]: float(value) for name, value in rows[-1].items()}


def free_flight():
    # No force acts: x = x0 + v t, spin and velocity stay as they are, bit for bit; in the plane turn = turn0 + spin t.
    start = [[0.2, 0.3, 0.4, 0.5, -0.25, 0.125, 3, -5, 7], [0.7, 0.6, 0.5, -1, 0, 0.5, 0, 11, -2]]
    flat = lambda at, n: ", ".join(str(x) for grain in start for x in grain[at:at + n])
    listed = run("listed", SPACE + f"""[grains.a]
sizes = {{ kind = "single", diameter = "10 mm" }}
place = {{ kind = "list", positions = [{flat(0, 3)}], velocities = [{flat(3, 3)}], spins = [{flat(6, 3)}] }}
""" + FLIGHT.format([0] * 9))
    time = time_of(listed)
    for body, at in zip(bodies(listed), start):
        for k, axis in enumerate("xyz"):
            # 400 sums of doubles near 1: each rounds by 1e-16.
            near(f"place along {axis}", body[axis], at[k] + at[3 + k] * time, 1e-13)
            faults.check(body["v" + axis] == at[3 + k] and body["w" + axis] == at[6 + k], "velocity or spin changed in free flight")
    table = "x [m],y [m],z [m],radius [mm],vx [m/s],vy [m/s],vz [m/s],wx [rad/s],wy [rad/s],wz [1/s]\n"
    rows = "".join(",".join(map(str, g[:3] + [5] + g[3:])) + "\n" for g in start)
    filed = run("filed", SPACE + '[grains.a]\nplace = { kind = "file", file = "motion.csv" }\n' + FLIGHT.format([0] * 9), motion=table + rows)
    faults.check(state_hash(filed) == state_hash(listed), "a table and a list of the same grains give other states")
    # Half of the way, handed over with its motion, and the rest.
    half = run("half", (home / "listed.toml").read_text(), "--until", time / 2)
    done("sample", half, "--motion", "--out", home / "moving.csv")
    rest = run("rest", (home / "listed.toml").read_text() + '[sample]\nfile = "moving.csv"\n')
    for body, at in zip(bodies(rest), start):
        for k, axis in enumerate("xyz"):
            near(f"place along {axis} after a hand-over", body[axis], at[k] + at[3 + k] * (time_of(half) + time_of(rest)), 1e-13)
            faults.check(body["w" + axis] == at[6 + k], "a sample loses the spin")


def orientation():
    # Squares of the plane: turn = turn0 + spin t. From a list and from a table, whose outlines are scaled to its diameters.
    shape = 'shape = "corners"\ncorners = [0.5, -0.5, 0.5, 0.5, -0.5, 0.5, -0.5, -0.5]\n'
    listed = run("turned", PLANE + "[grains.a]\n" + shape + """sizes = { kind = "single", diameter = "20 mm" }
place = { kind = "list", positions = [0.3, 0.3, 0.7, 0.7], velocities = [0.1, 0, 0, -0.2], spins = [2, -3], turns = ["10 deg", "-75 deg"] }
""" + FLIGHT.format([0] * 4))
    time = time_of(listed)
    for body, (turn, spin) in zip(bodies(listed), [(10, 2), (-75, -3)]):
        near("orientation", body["turn"], math.radians(turn) + spin * time, 1e-13)
        faults.check(body["spin"] == spin, "the spin changed in free flight")
    filed = run("turned-file", PLANE + "[grains.a]\n" + shape + 'place = { kind = "file", file = "turned-grains.csv" }\n' + FLIGHT.format([0] * 4),
                **{"turned-grains": "x [m],y [m],diameter [mm],vx [m/s],vy [m/s],spin [rad/s],turn [deg]\n0.3,0.3,20,0.1,0,2,10\n0.7,0.7,20,0,-0.2,-3,-75\n"})
    faults.check(state_hash(filed) == state_hash(listed), "a table and a list of the same squares give other states")


def temperature():
    # Kinetic energy (D/2) M T and no momentum, by construction; a normal distribution has <v^4> = 3 <v^2>^2, here of 2400 numbers:
    # four standard deviations of that are 4 sqrt(24/2400).
    for text, dimension, diameter in ((SPACE, 3, "10 mm"), (PLANE, 2, "5 mm")):
        folder = run(f"hot-{dimension}", text + f"""[grains.a]
count = {2400 // dimension}
granular_temperature = "0.04 m2/s2"
sizes = {{ kind = "uniform", min = "{diameter}", max = "12 mm" }}
place = {{ kind = "random-without-overlap" }}
""" + STILL)
        grains = bodies(folder)
        weight = [g["radius"] ** dimension for g in grains]  # times the same density
        components = [[g["v" + axis] for g in grains] for axis in "xyz"[:dimension]]
        for v in components:
            momentum = sum(m * x for m, x in zip(weight, v)) / sum(weight)
            faults.check(abs(momentum) < 1e-15, "the grains have a momentum of", momentum, "times their mass")
        energy = sum(m * x * x for v in components for m, x in zip(weight, v)) / sum(weight)
        near("granular temperature", energy / dimension, 0.04, 1e-13)
        squares = [x * x for v in components for x in v]
        fourth = len(squares) * sum(x * x for x in squares) / sum(squares) ** 2
        faults.check(abs(fourth - 3) < 0.4, "the distribution is not normal: <v^4>/<v^2>^2 =", fourth)


def loads_of_walls():
    # Spheres that overlap a wall by d push it with F = (4/3) E* sqrt(R) d^(3/2), E* = E/(2 (1 - nu^2)), along its normal n into the
    # sample: force -F n, moment (x - p) x (-F n) about the wall's point p, x where they touch.
    radius, overlap = 5e-3, 1e-5
    push = 4 / 3 * 1e9 / (2 * (1 - 0.25**2)) * math.sqrt(radius) * overlap**1.5
    spheres = [(0.2, 0.3, radius - overlap), (0.7, 0.1, radius - overlap)]
    folder = run("pressed", SPACE.replace("vtk = false", "vtk = true") + f"""[probes]
wall_loads = true
[boundary.floor]
kind = "platen"
face = "z_low"
[boundary.side]
kind = "plane"
point = ["0.9 m", "0.4 m", "0.5 m"]
normal = [-1, 0, 0]
[grains.a]
sizes = {{ kind = "single", radius = {radius} }}
place = {{ kind = "list", positions = {[x for s in spheres for x in s] + [0.9 - radius + overlap, 0.6, 0.7]} }}
""" + STILL)
    row = last_row(folder)
    expected = {"floor_force_x": 0, "floor_force_y": 0, "floor_force_z": -2 * push, "floor_moment_x": -(0.3 + 0.1) * push,
                "floor_moment_y": (0.2 + 0.7) * push, "floor_moment_z": 0, "side_force_x": push, "side_force_y": 0, "side_force_z": 0,
                "side_moment_x": 0, "side_moment_y": (0.7 - 0.5) * push, "side_moment_z": -(0.6 - 0.4) * push}
    for name, value in expected.items():
        # The overlap is a difference of lengths that are 1e5 times larger: it rounds by 1e-11.
        near(f"wall_{name}", row[f"wall_{name}"] / push, value / push, 1e-9)
    near("push along the normal", row["wall_floor_force"], -row["wall_floor_force_z"], 1e-14)
    walls = list((folder / "vtk").glob("walls-*.vtp"))
    faults.check(walls and b'Name="moment"' in walls[0].read_bytes(), "ParaView gets no moments of walls")
    # In the plane, discs with F = k d per metre.
    plane = run("pressed-plane", PLANE + f"""[probes]
wall_loads = true
[boundary.floor]
kind = "platen"
face = "y_low"
[grains.a]
sizes = {{ kind = "single", radius = {radius} }}
place = {{ kind = "list", positions = [0.25, {radius - overlap}] }}
""" + STILL)
    row = last_row(plane)
    near("force in the plane", row["wall_floor_force_y"], -1e6 * overlap, 1e-9)
    near("moment in the plane", row["wall_floor_moment_z"], -0.25 * 1e6 * overlap, 1e-9)
    still = run("without", (home / "pressed-plane.toml").read_text().replace("wall_loads = true", ""))
    faults.check("wall_floor_force_y" not in last_row(still), "loads of walls are in a series that did not ask for them")


def collisions():
    impact = (SOURCE / "scenes/impact.toml").read_text()
    lines = [line for line in impact.split("\n") if not line.startswith(("speed ", "angle ", "speed =", "angle ="))]
    own = "\n".join(lines)

    def collide(name, velocities, text=own, **parameters):
        folder = run(name, text.replace('kind = "collide"', f'kind = "collide"\nvelocities = {velocities}'), *sets(**parameters))
        return figures(folder), bodies(folder)
    run("still-frame", impact)
    reference = figures(home / "still-frame")
    u = (0.3, -0.2, 0.5)
    moved, after = collide("moving-frame", [u[0], u[1], u[2] - 0.05, u[0], u[1], u[2] + 0.05])
    for name in ("delta_max", "force_max", "contact_time", "restitution"):
        # Places are ten thousand overlaps away from where they started, and round by as much.
        near(f"{name} in a moving frame", moved[name], reference[name], 1e-6)
    # Equal spheres without loss exchange their velocities; the step is good to 1e-4.
    for k, axis in enumerate("xyz"):
        near(f"velocity of the first along {axis}", after[0]["v" + axis], u[k] + (0.05 if k == 2 else 0), 1e-4)
        near(f"velocity of the second along {axis}", after[1]["v" + axis], u[k] - (0.05 if k == 2 else 0), 1e-4)
    # A sphere and a rigid plane: F = h d^(3/2), h = (4/3) E/(1 - nu^2) sqrt(R) = 8 G sqrt(R)/(3 (1 - nu)), twice that of a plane of its
    # own material; d = (5 m v^2/(4 h))^(2/5).
    rigid = own.replace('[grains.spheres]', '[material.anvil]\nrigid = true\ndensity = 2650\nyoung = "1 GPa"\npoisson = 0.3\nfriction = "$friction"\nrestitution = "$restitution"\n\n[grains.spheres]').replace(
        'target = "$target"', 'target = "$target", target_material = "anvil"')
    radius, mass = 0.105e-3, 2650 * 4 / 3 * math.pi * 0.105e-3**3
    h = 8 * 3e9 * math.sqrt(radius) / (3 * (1 - 0.3))
    hit, _ = collide("rigid", [0, 0, -0.1], rigid, target="wall")
    delta = (5 * mass * 0.01 / (4 * h)) ** 0.4
    near("delta_max at a rigid target", hit["delta_max"], delta, 1e-3)  # as for the other targets: the step
    near("force_max at a rigid target", hit["force_max"], h * delta**1.5, 1e-3)
    # A sphere with top spin so fast that it slides throughout: the plane takes or gives mu 2 m v_n of momentum along x, and the spin
    # changes by 5/2 of that over m R.
    spin, friction, speed = 1e5, 0.1, 0.1
    spun, after = collide("spun", [0, 0, -speed], rigid.replace('target_material = "anvil"', f'target_material = "anvil", spins = [0, {spin}, 0]'),
                          target="wall", friction=friction, rotation="free")
    near("velocity that a spin gives", after[0]["vx"], 2 * friction * speed, 1e-3)
    near("spin that is left", spin - after[0]["wy"], 2.5 * 2 * friction * speed / radius, 1e-3)
    faults.check(spun["restitution"] is not None, "the spinning sphere does not part")


def main():
    global home
    with scratch() as name:
        home = pathlib.Path(name)
        free_flight()
        orientation()
        temperature()
        loads_of_walls()
        collisions()
    faults.finish()


if __name__ == "__main__":
    main()
