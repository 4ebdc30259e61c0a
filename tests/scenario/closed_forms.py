#!/usr/bin/env python3
"""The scenes `impact` and `lattice` against closed forms, every parameter of both exercised.

Expected numbers are computed here from the formulas in the comments; those marked * are also stated as numbers, with
the tolerances, in section D of the notes on the cell-replication paper (G = 3 GPa, nu = 0.3, R = 0.105 mm, density
2650 kg/m3): the numbers guard the formulas.
"""
import json
import math

from program import Faults, done, scratch, sets

DENSITY = 2650
faults = Faults()
folder = None
count = 0


def figures(scene, **parameters):
    """Runs a scene; the figures of its result line."""
    global count
    count += 1
    result = done("run", scene, "--json", "--threads", 1, "--out", f"{folder}/{count}", *sets(**parameters))
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    faults.check(lines and lines[-1].get("status") == "done", scene, parameters, "gave", result.stdout)
    return lines[-1]["figures"]


class Hertz:
    """F = h delta^(3/2) between equal spheres, or between a sphere and a plane of the same material."""

    def __init__(self, radius=0.105e-3, shear_modulus=3e9, poisson=0.3, target="sphere"):
        sphere = 2 * shear_modulus * math.sqrt(2 * radius) / (3 * (1 - poisson))
        plane = 4 * shear_modulus * math.sqrt(radius) / (3 * (1 - poisson))
        self.h = sphere if target == "sphere" else plane
        mass = DENSITY * 4 / 3 * math.pi * radius**3
        self.mass = mass / 2 if target == "sphere" else mass  # of the relative motion

    def impact(self, speed):
        """Deepest overlap, largest force, duration of an elastic head-on impact."""
        delta = (5 * self.mass * speed**2 / (4 * self.h)) ** 0.4
        return delta, self.h * delta**1.5, 2.943275 * delta / speed


def head_on():
    # * delta_max = (5 m v^2 / (4 h))^(2/5), F_max = h delta_max^(3/2), t_c = 2.943275 delta_max / v; 0.1 %.
    delta, force, time = Hertz().impact(0.1)
    faults.near("* delta_max by formula", delta, 8.224250e-8, 1e-6)
    faults.near("* F_max by formula", force, 9.765311e-4, 1e-6)
    faults.near("* t_c by formula", time, 2.420623e-6, 1e-6)
    variants = [{}, {"speed": "2 m/s"}, {"radius": "0.4 mm", "shear_modulus": "1 GPa", "poisson": 0.2}, {"target": "wall"},
                {"target": "wall", "poisson": 0.0, "speed": 0.01}]
    for given in variants:
        number = lambda name, scale, default: float(str(given.get(name, default)).split()[0]) * scale
        hertz = Hertz(number("radius", 1e-3, 0.105), number("shear_modulus", 1e9, 3), number("poisson", 1, 0.3),
                      given.get("target", "sphere"))
        delta, force, time = hertz.impact(number("speed", 1, 0.1))
        got = figures("impact", **given)
        for name, expected in {"delta_max": delta, "force_max": force, "contact_time": time, "restitution": 1,
                               "energy_ratio": 1}.items():
            faults.near(f"impact {given or ''} {name}", got[name], expected, 1e-3)
        faults.check(got["vt_ratio"] is None, "a head-on impact has a tangential ratio:", got["vt_ratio"])


def damped():
    # * Local damping: e = sqrt((1 - alpha) / (1 + alpha)), for both laws; 0.5 %.
    for alpha, expected in ((0.7, 0.42008), (0.5, 0.57735)):
        for law in ("hertz-mindlin", "linear"):
            got = figures("impact", damping=alpha, law=law)
            faults.near(f"local damping {alpha}, {law}: restitution", got["restitution"], expected, 5e-3)
            faults.near(f"local damping {alpha}, {law}: energy", got["energy_ratio"], expected**2, 1e-2)
    # Dashpots that are to give a stated restitution (linear: e = exp(-pi z / sqrt(1 - z^2))); 0.5 %, Hertz 1 % for the
    # approximation that its damping ratio is made with.
    for e in (0.3, 0.6, 0.9):
        faults.near(f"linear dashpot, e = {e}", figures("impact", law="linear", restitution=e)["restitution"], e, 5e-3)
        faults.near(f"Hertz dashpot, e = {e}", figures("impact", restitution=e)["restitution"], e, 1e-2)


def linear():
    # Half a period of a spring: t_c = pi sqrt(m / k), delta_max = v sqrt(m / k). Error of the steps: 0.1 %.
    stiffness, speed, mass = 5e4, 0.3, Hertz().mass
    got = figures("impact", law="linear", stiffness="50 kN/m", speed=speed)
    faults.near("linear: contact_time", got["contact_time"], math.pi * math.sqrt(mass / stiffness), 1e-3)
    faults.near("linear: delta_max", got["delta_max"], speed * math.sqrt(mass / stiffness), 1e-3)
    faults.near("linear: force_max", got["force_max"], speed * math.sqrt(mass * stiffness), 1e-3)


# The closed forms of oblique impact leave out that the line of centres turns while the spheres touch, and on the way
# there. At 1 mm/s from 1e-7 of a diameter that is 1e-6 to 1e-5; the shear spring, which follows the steps in first
# order, is the larger error.
SLOW = {"speed": "1 mm/s", "dynamics__time_step_safety": 0.002, "grains__spheres__place__gap": 2e-11}


def oblique():
    # * Rotation inhibited, mu = 0.275: tangential velocity after over before. Stick: with the shear force kept or
    # rescaled while the normal force falls. Gross slip: 1 - 2 mu / tan(angle), the same for both.
    for angle, kept, rescaled in ((5, -1.00719, -0.81572), (15, -0.85024, -0.81572)):
        for unloading, expected in (("kept", kept), ("rescaled", rescaled)):
            got = figures("impact", angle=f"{angle} deg", shear_unloading=unloading, **SLOW)
            faults.near(f"* {angle} deg, {unloading}: vt_ratio", got["vt_ratio"], expected, 1e-3)
            if angle == 5:
                energy = {"kept": 1.00011, "rescaled": 0.99746}[unloading]
                faults.near(f"* {angle} deg, {unloading}: energy_ratio", got["energy_ratio"], energy, 1e-4)
            if unloading == "rescaled":
                faults.check(got["energy_ratio"] <= 1, "the default law creates energy:", got["energy_ratio"])
        # As users run it: faster, and with the steps of the scene.
        got = figures("impact", angle=f"{angle} deg")
        faults.near(f"{angle} deg, scene as it is: vt_ratio", got["vt_ratio"], rescaled, 5e-3)
        faults.check(got["energy_ratio"] <= 1, "the default law creates energy:", got["energy_ratio"])
    for angle, expected in ((25, -0.17948), (45, 0.45000), (75, 0.85263)):
        faults.near(f"* {angle} deg by formula", 1 - 2 * 0.275 / math.tan(math.radians(angle)), expected, 1e-4)
        for unloading in ("kept", "rescaled"):
            got = figures("impact", angle=f"{angle} deg", shear_unloading=unloading, **SLOW)
            faults.near(f"* {angle} deg, {unloading}: vt_ratio", got["vt_ratio"], expected, 1e-4)
        # As users run it: the line of centres turns by up to 1e-3.
        got = figures("impact", angle=f"{angle} deg")
        faults.near(f"{angle} deg, scene as it is: vt_ratio", got["vt_ratio"], expected, 5e-3)
    got = figures("impact", angle="45 deg", friction=0.1, **SLOW)
    faults.near("45 deg, friction 0.1: vt_ratio", got["vt_ratio"], 1 - 0.2, 1e-4)
    got = figures("impact", angle="45 deg", friction=0, **SLOW)
    faults.near("45 deg, no friction: vt_ratio", got["vt_ratio"], 1, 1e-4)


def rotating():
    # * Wall, gross slip (v_t / v_n above 1.59): v_t' = v_t - mu (1 + e) v_n, and omega' = (5/2) mu (1 + e) v_n / R.
    angle, mu = math.radians(75), 0.275
    lost = 2 * mu / math.tan(angle)
    got = figures("impact", target="wall", angle="75 deg", rotation="free", **SLOW)
    faults.near("* wall, free rotation, slip: vt_ratio", got["vt_ratio"], 1 - lost, 1e-3)
    # Kinetic energy after over before, with the spin of a solid sphere: (2/5) R^2 omega^2 = (2/5) (5/2)^2 (mu (1+e) v_n)^2.
    energy = (math.cos(angle)**2 + math.sin(angle)**2 * ((1 - lost)**2 + 2.5 * lost**2))
    faults.near("* wall, free rotation, slip: energy_ratio", got["energy_ratio"], energy, 1e-3)
    # * Linear spring without slip: cos(pi sqrt(k_t / k_n)); with free rotation of the surfaces cos(pi sqrt(7 k_t / (2 k_n))).
    # The centres then follow by 2/7 of the change at the surface.
    for ratio in (0.5, 0.3):
        stick = {"law": "linear", "angle": "10 deg", "friction": 1000, "shear_ratio": ratio, **SLOW}
        got = figures("impact", **stick)
        faults.near(f"* linear, stick, k_t/k_n {ratio}: vt_ratio", got["vt_ratio"], math.cos(math.pi * math.sqrt(ratio)), 3e-3)
        surface = math.cos(math.pi * math.sqrt(3.5 * ratio))
        for target in ("sphere", "wall"):
            got = figures("impact", rotation="free", target=target, **stick)
            faults.near(f"* linear, {target}, stick, free, k_t/k_n {ratio}: vt_ratio", got["vt_ratio"],
                        1 + 2 / 7 * (surface - 1), 3e-3)
            faults.near(f"linear, {target}, stick, free: energy", got["energy_ratio"],
                        1 + math.sin(math.radians(10))**2 * 2 / 7 * (surface**2 - 1), 1e-3)


def lattices():
    # * F = h (d e)^(3/2); p (d (1 - e))^2 / F = 1, sqrt(3), 2 sqrt(2); evaluated without a step: 1e-9.
    factor = {"sc": 1, "bcc": math.sqrt(3), "fcc": 2 * math.sqrt(2)}
    stated = {1e-3: {"sc": 90.5318e3, "bcc": 156.8056e3, "fcc": 256.0625e3},
              1e-4: {"sc": 2.8577e3, "bcc": 4.9497e3, "fcc": 8.0828e3}}
    variants = [{"strain": strain, "lattice": lattice} for strain in stated for lattice in factor]
    variants += [{"strain": 2e-3, "lattice": lattice, "radius": "3 mm", "shear_modulus": "70 MPa", "poisson": 0.1}
                 for lattice in factor]
    for given in variants:
        number = lambda name, scale, default: float(str(given.get(name, default)).split()[0]) * scale
        radius, strain, lattice = number("radius", 1e-3, 0.105), given["strain"], given["lattice"]
        modulus = 70e6 if "shear_modulus" in given else 3e9
        hertz = Hertz(radius, modulus, given.get("poisson", 0.3))
        force = hertz.h * (2 * radius * strain) ** 1.5
        pressure = factor[lattice] * force / (2 * radius * (1 - strain)) ** 2
        if "radius" not in given:
            faults.near(f"* {given} by formula", pressure, stated[strain][lattice], 2e-5)
        got = figures("lattice", **given)
        for name in ("pressure", "sigma_zz", "sigma_xx"):
            faults.near(f"lattice {given} {name}", got[name], pressure, 1e-9)
        faults.near(f"lattice {given} force_max", got["force_max"], force, 1e-9)
        faults.check(got["net_force_max"] < 1e-9 * force, given, "is not balanced:", got["net_force_max"])


def uniaxial():
    # The last axis alone is strained: contacts are summed one by one, F = h delta^(3/2) along each branch.
    radius, strain = 0.105e-3, 1e-3
    d, hertz = 2 * radius, Hertz()
    neighbours = {
        "sc": (d, 1, [(1, 0, 0), (0, 1, 0), (0, 0, 1)]),
        "bcc": (2 * d / math.sqrt(3), 2, [(x / 2, y / 2, 0.5) for x in (-1, 1) for y in (-1, 1)]),
        "fcc": (math.sqrt(2) * d, 4, [(0.5, 0.5, 0), (0.5, -0.5, 0), (0.5, 0, 0.5), (0.5, 0, -0.5), (0, 0.5, 0.5),
                                      (0, 0.5, -0.5)]),
    }
    for lattice, (edge, grains, branches) in neighbours.items():
        sigma, most = [0.0, 0.0, 0.0], 0.0
        volume = edge**3 * (1 - strain) / grains  # per grain
        for branch in branches:
            b = [edge * branch[0], edge * branch[1], edge * branch[2] * (1 - strain)]
            length = math.sqrt(sum(x * x for x in b))
            overlap = d - length
            force = hertz.h * overlap**1.5 if overlap > 1e-9 * d else 0.0  # touching without force across the axis
            most = max(most, force)
            for k in range(3):
                sigma[k] += force * b[k] ** 2 / length / volume
        got = figures("lattice", lattice=lattice, mode="uniaxial")
        # Contacts that only touch carry a force of rounding: 1e-9 d wide, h (1e-15 d)^1.5 is far below 1e-9 of the rest.
        faults.near(f"uniaxial {lattice} sigma_zz", got["sigma_zz"], sigma[2], 1e-9)
        faults.near(f"uniaxial {lattice} force_max", got["force_max"], most, 1e-9)
        faults.near(f"uniaxial {lattice} pressure", got["pressure"], sum(sigma) / 3, 1e-9)
        if sigma[0] > 0:
            faults.near(f"uniaxial {lattice} sigma_xx", got["sigma_xx"], sigma[0], 1e-9)
        else:
            faults.check(abs(got["sigma_xx"]) < 1e-9 * sigma[2], f"uniaxial {lattice} sigma_xx is", got["sigma_xx"])


def main():
    global folder
    with scratch() as folder:
        for part in (head_on, damped, linear, oblique, rotating, lattices, uniaxial):
            part()
        print(f"{count} runs")
        faults.finish()


if __name__ == "__main__":
    main()
