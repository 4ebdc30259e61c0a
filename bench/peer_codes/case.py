"""Writes one case for every code: a replicated packing plus seeded random velocities.

    case.py PACK.dump.gz NX,NY,NZ OUT        writes OUT.txt (Talus, Yade) and OUT.data (LAMMPS, LIGGGHTS)

OUT.txt: first line N Lx Ly Lz, then x y z r vx vy vz, SI, box from 0. Spheres come in Morton order of 2.4 mm cells, the
same for every code. Velocity: planar extension at 1/s about the middle plus uniform +-0.02 m/s per component, mean removed.
"""
import gzip, random, sys

CELL, SPEED, RATE, DENSITY = 2.4e-3, 0.02, (1.0, -1.0, 0.0), 2500.0  # m, m/s, 1/s, kg/m3


def read_pack(path):
    lines = gzip.open(path, "rt").read().split("\n")
    bounds = [tuple(map(float, lines[5 + k].split()[:2])) for k in range(3)]
    edge = [b - a for a, b in bounds]
    spheres = []
    for line in lines[9:9 + int(lines[3])]:
        q = list(map(float, line.split()))
        spheres.append(tuple((q[1 + k] - bounds[k][0]) % edge[k] for k in range(3)) + (q[4],))
    return edge, spheres


def spread_bits(v):
    return sum(((v >> bit) & 1) << (3 * bit) for bit in range(10))


def main():
    copies = tuple(map(int, sys.argv[2].split(",")))
    edge, base = read_pack(sys.argv[1])
    box = [edge[k] * copies[k] for k in range(3)]
    spheres = [(x + i * edge[0], y + j * edge[1], z + k * edge[2], r)
               for i in range(copies[0]) for j in range(copies[1]) for k in range(copies[2]) for x, y, z, r in base]
    bits = [spread_bits(v) for v in range(int(max(box) / CELL) + 2)]
    spheres.sort(key=lambda s: bits[int(s[0] / CELL)] | bits[int(s[1] / CELL)] << 1 | bits[int(s[2] / CELL)] << 2)
    rng = random.Random(777)
    velocity = [[rng.uniform(-SPEED, SPEED) for _ in range(3)] for _ in spheres]
    mean = [sum(v[k] for v in velocity) / len(velocity) for k in range(3)]
    for s, v in zip(spheres, velocity):
        for k in range(3):
            v[k] += RATE[k] * (s[k] - box[k] / 2) - mean[k]

    with open(sys.argv[3] + ".txt", "w") as f:
        f.write("%d %.15g %.15g %.15g\n" % (len(spheres), *box))
        f.writelines("%.12g %.12g %.12g %.12g %.10g %.10g %.10g\n" % (*s, *v) for s, v in zip(spheres, velocity))
    with open(sys.argv[3] + ".data", "w") as f:
        f.write(f"dense periodic sphere packing\n\n{len(spheres)} atoms\n1 atom types\n\n")
        f.writelines("0.0 %.15g %slo %shi\n" % (length, axis, axis) for axis, length in zip("xyz", box))
        f.write("\nAtoms\n\n")
        f.writelines("%d 1 %.12g %g %.12g %.12g %.12g\n" % (i, 2 * s[3], DENSITY, *s[:3]) for i, s in enumerate(spheres, 1))
        f.write("\nVelocities\n\n")
        f.writelines("%d %.10g %.10g %.10g 0 0 0\n" % (i, *v) for i, v in enumerate(velocity, 1))


main()
