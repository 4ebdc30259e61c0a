# The common problem for Yade: CASE=FILE STEPS=N WARM_UP=N yade -jTHREADS -n -x in_yade.py
# Prints: RESULT N cpu_s wall_s P_Pa Z rebuilds
import os, sys, time
from yade import *
from yade import utils

rows = open(os.environ["CASE"])
steps = int(os.environ["STEPS"])
count, *edge = rows.readline().split()
O.periodic = True
O.cell.setBox(*map(float, edge))
grain = FrictMat(young=1e8, poisson=0.3, density=2500, frictionAngle=math.atan(0.5))
O.materials.append(grain)
for row in rows:
    x, y, z, r, vx, vy, vz = map(float, row.split())
    body = utils.sphere((x, y, z), r, material=grain)
    body.state.vel = (vx, vy, vz)
    O.bodies.append(body)
O.cell.velGrad = Matrix3(1, 0, 0, 0, -1, 0, 0, 0, 0)
search = InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=-0.03)  # negative: of the smallest radius
O.engines = [
    ForceResetter(),
    search,
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_MindlinPhys(en=0.5, es=0.5)],
                    [Law2_ScGeom_MindlinPhys_Mindlin()]),
    NewtonIntegrator(damping=0.0),
]
O.dt = 2e-6
O.run(int(os.environ["WARM_UP"]), True)
before = search.numAction
cpu, wall = time.process_time(), time.time()
O.run(steps, True)
cpu, wall = time.process_time() - cpu, time.time() - wall
touching = sum(1 for i in O.interactions if i.isReal)
print("RESULT", count, cpu, wall, -utils.getStress().trace() / 3, 2 * touching / int(count), search.numAction - before)
sys.stdout.flush()
os._exit(0)  # skips the interactive shutdown
