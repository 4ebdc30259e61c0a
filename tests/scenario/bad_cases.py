"""What bad_input.py tries: a small valid scene, and its edits with the words that the message must have."""
from program import SOURCE

BASE = """\
title = "a few grains"
method = "dem"
dimension = 3
seed = 1

[parameters]
pressure = { default = "10 kPa", about = "of the sample", min = "1 kPa" }

[material.sand]
density = "2650 kg/m3"
young = "20 MPa"
poisson = 0.2
friction = 0.3
restitution = 0.9

[contact]
law = "hertz-mindlin"

[grains.sand]
count = 30
sizes = { kind = "uniform", min = "1 mm", max = "2 mm" }
place = { kind = "random-without-overlap", scale = 1.0 }

[cell]
size = ["5.7 mm", "5.7 mm", "5.7 mm"]
periodic = [1, 1, 1]

[dynamics]
local_damping = 0.7

[[stage]]
kind = "isotropic"
pressure = "$pressure"
inertial_number = 0.05

[probes]
every = 100

[output]
checkpoint_every = 200
vtk = false
"""
SIZES = 'sizes = { kind = "uniform", min = "1 mm", max = "2 mm" }'
PLACE = 'place = { kind = "random-without-overlap", scale = 1.0 }'
SIEVE = 'sizes = { kind = "sieve", file = "sieve.csv" }'
FROM_FILE = 'place = { kind = "file", file = "grains.csv" }'
# Positions from a file bring their sizes: count and sizes go.
HEADER = "x [mm],y [mm],z [mm],diameter [mm]\n"
POSITIONS = {f"count = 30\n{SIZES}\n{PLACE}": FROM_FILE, "periodic = [1, 1, 1]": "periodic = [0, 0, 0]"}


class Case:
    """edits: {old: new} in BASE. says: what the message must contain. at: text whose line in the edited scene (or in
    the other file `in_file`) the message must name; where it is None the message must name the file alone."""

    def __init__(self, name, edits=None, says=(), at=None, arguments=(), files=None, in_file="bad.toml", words=("run",),
                 raw=None):
        self.name, self.edits, self.at, self.in_file = name, edits or {}, at, in_file
        self.says = [says] if isinstance(says, str) else list(says)
        self.arguments, self.files, self.words, self.raw = list(arguments), files or {}, list(words), raw

    def scene(self):
        text = BASE if self.raw is None else self.raw
        for old, new in self.edits.items():
            assert text.count(old) == 1, f"{self.name}: {old!r} occurs {text.count(old)} times"
            text = text.replace(old, new)
        return text


def value(name, old, new, *says):
    """A case where one line is exchanged and the message names that line."""
    return Case(name, {old: new}, says, at=new)


def sieve(name, text, *says, at=None):
    """A sieve curve with this text."""
    return Case(name, {SIZES: SIEVE}, says, at=at, in_file="sieve.csv", files={"sieve.csv": text})


def positions(name, text, *says, at=None):
    """Grains from a file with this text."""
    return Case(name, POSITIONS, says, at=at, in_file="grains.csv", files={"grains.csv": text})


def setting(name, text, *says):
    return Case(name, arguments=["--set", text], says=["--set " + text, *says], in_file=None)


def stage(name, text, *says, edits=None, at=None):
    """The only stage is exchanged."""
    return Case(name, {'kind = "isotropic"\npressure = "$pressure"\ninertial_number = 0.05\n': text, **(edits or {}),
                       'pressure = { default = "10 kPa", about = "of the sample", min = "1 kPa" }\n': ""}, says, at=at)


def boundary(name, text, *says, edits=None, at=None):
    return Case(name, {"[dynamics]\n": f"[boundary.lid]\n{text}\n\n[dynamics]\n", **(edits or {})}, says, at=at)


ROWE = (SOURCE / "scenes/rowe.toml").read_text()


def rowe(name, old, new, *says):
    """One line of the scene of contact dynamics is exchanged."""
    return Case(name, {old: new}, says, at=new.splitlines()[0] if new and "default" not in new and "dimension" not in new else None,
                raw=ROWE)


def multi(name, line, *says):
    """A table [multi_contact] with one line."""
    return Case(name, {"[dynamics]\n": f"[multi_contact]\n{line}\n\n[dynamics]\n"}, says, at=line)


POLYGONS = (SOURCE / "scenes/polygons.toml").read_text()


def polygons(name, shape, *says):
    """Another shape for the polygons."""
    unused = {f"{key}": "" for key in ('vertices     = { default = 12, about = "corners of a grain", min = 3, max = 32 }\n',
                                       'shape_spread = { default = 1, about = "irregularity of polygons, from 0 (regular) to 1 (each corner anywhere in its share of the circle)", min = 0, max = 1 }\n')}
    return Case(name, {'shape = "polygon"\nvertices = "$vertices"\nshape_spread = "$shape_spread"\n': shape + "\n", **unused}, says,
                raw=POLYGONS)


BIAXIAL = (SOURCE / "scenes/biaxial-small-dense.toml").read_text()


def biaxial(name, old, new, *says):
    """One line of the biaxial test is exchanged."""
    return Case(name, {old: new}, says, raw=BIAXIAL)


RINGS = (SOURCE / "scenes/rings.toml").read_text()
LEFT = '[body.left]\nformulation = "$formulation"\n'


def rings(name, edits, *says):
    """Bodies of the colliding rings are edited."""
    return Case(name, edits, says, raw=RINGS)


PILE = (SOURCE / "scenes/pile.toml").read_text()


def pile(name, old, new, *says):
    """The mouth that sand is poured from is edited."""
    return Case(name, {old: new}, says, raw=PILE)


OPEN = {"periodic = [1, 1, 1]": "periodic = [0, 0, 0]"}

CASES = [
    Case("grains of a rigid material", {"friction = 0.3": "friction = 0.3\nrigid = true"}, ["grains.sand.material", "rigid"]),
    stage("rate along an open edge", 'kind = "deform"\nsteps = 100\nrate = [0, 0, 0, 0, 0, 0, 0, 0, -1]\n', "open along",
          edits=OPEN),
    value("safety of the time step above 0.5", "local_damping = 0.7", "local_damping = 0.7\ntime_step_safety = 0.9",
          "dynamics.time_step_safety", "0.5"),
    # contact dynamics
    rowe("a stiffness of the plane in space", "dimension = 2", "dimension = 3", "contact.normal_stiffness", "N/m"),
    rowe("contact dynamics without a time step", 'time_step = "$dt"\n', "", "impulse.time_step"),
    rowe("rows of no discs", 'default = "5-4-5-4-5-4-5"', 'default = "5-4-0-4-5"', "grains.discs.place.layout", "numbers from 1"),
    rowe("rows that do not fit", 'default = "5-4-5-4-5-4-5"', 'default = "5-3-5"', "differ by more than one"),
    rowe("rows of words", 'default = "5-4-5-4-5-4-5"', 'default = "five"', "'five'"),
    rowe("negative friction", 'friction_angle = "$phi_mu"', "friction = -0.1", "material.disc.friction", "-0.1"),
    rowe("friction twice", 'friction_angle = "$phi_mu"', 'friction = 0.1\nfriction_angle = "$phi_mu"', "both friction"),
    rowe("platen inside the grains", '[boundary.top]\nkind = "platen"\nface = "y_high"',
         '[boundary.top]\nkind = "plane"\npoint = ["0 m", "5.9 m"]\nnormal = [0, -1]', "boundary.top", "starts inside the wall"),
    Case("platen inside soft grains", {'[boundary.top]\nkind = "platen"\nface = "y_high"': '[boundary.top]\nkind = "plane"\npoint = ["0 m", "5.5 m"]\nnormal = [0, -1]'},
         ["boundary.top", "starts inside the wall", "overlap_limit"], arguments=["--set", "method=dem"], raw=ROWE),
    rowe("platen that is not there", 'platen = "top"', 'platen = "tap"', "stage[1].platen", "did you mean 'top'"),
    Case("strict with a solver that has no tolerance", says=["impulse.strict", "box2d-like"],
         arguments=["--set", "solver=box2d-like", "--set", "impulse.strict=true"], in_file=None, raw=ROWE),
    rings("body that continues one that is not there", {LEFT: LEFT + 'continues = "rite"\n'}, "body.left.continues", "no other body 'rite'"),
    rings("body that continues itself", {LEFT: LEFT + 'continues = "left"\n'}, "body.left.continues", "no other body"),
    rings("bodies of two formulations that are one", {LEFT: '[body.left]\nformulation = "updated"\ncontinues = "right"\n'},
          "body.left.continues", "one formulation"),
    rings("sand measured from where it was laid", {'model = "elastic"\n': 'model = "drucker-prager"\nfriction_angle = "30 deg"\n'},
          "body.left.formulation", "flows"),
    rings("weight of a body measured from where it was laid", {LEFT: LEFT + "at_rest = true\n"}, "body.left.at_rest", "without stress"),
    Case("slope of rubber", {}, ["analysis.kind", "of soil"], raw=(SOURCE / "scenes/slope.toml").read_text().replace('model = "drucker-prager"', 'model = "elastic"')
         .replace('friction_angle = "$phi"\n', "").replace('cone = "$cone"\n', "")),
    pile("mouth in a wall", 'low = ["0 m", "40 mm"]', 'low = ["0 m", "0 m"]', "inflow.mouth"),
    pile("mouth that is not flat", 'size = ["60 mm", "0 m"]', 'size = ["60 mm", "10 mm"]', "inflow.mouth.size", "flat"),
    pile("flow along no axis", 'velocity = ["0 m/s", "$speed"]', 'velocity = ["0.1 m/s", "$speed"]', "inflow.mouth.velocity", "one axis"),
    pile("mouth that closes before it opens", 'end = "$pour"', 'end = "$pour"\nstart = "9 s"', "inflow.mouth.end"),
    rowe("unknown solver", 'default = "nlgs"', 'default = "nlgx"', "solver", "nlgs"),
    Case("rows in a periodic cell", {"periodic = [0, 0]": "periodic = [1, 0]"}, "cell.periodic", raw=ROWE),
    Case("contact dynamics on a GPU", {'method = "$method"': 'method = "$method"\ndevice = "cuda"'}, ["device", "impulse has no device path"], raw=ROWE),
    Case("contact dynamics on a GPU by --device", says=["device", "impulse has no device path"], arguments=["--device", "cuda"], raw=ROWE),
    biaxial("cap pressed onto the base", 'strain = "$strain_max"', "strain = 1", "strain", "less than 1"),
    Case("grains that touch their own images", {'count = "$grains"\n': "", 'grains       = { default = 120, about = "number of grains", min = 1, max = 140 }\n': "",
                                                'place = { kind = "random-without-overlap" }': 'place = { kind = "lattice", lattice = "square", repeats = [1, 3] }',
                                                'shape = "polygon"\nvertices = "$vertices"\nshape_spread = "$shape_spread"\n': 'shape = "disc"\n',
                                                'vertices     = { default = 12, about = "corners of a grain", min = 3, max = 32 }\n': "",
                                                'shape_spread = { default = 1, about = "irregularity of polygons, from 0 (regular) to 1 (each corner anywhere in its share of the circle)", min = 0, max = 1 }\n': "",
                                                'size = ["10 m", "25 m"]\nperiodic = [0, 0]': "periodic = [1, 1]", '[boundary.box]\nkind = "box"\nmaterial = "soil"\n': "",
                                                'kind = "settle"\nmin_time = "20 s"\nunbalanced = 1e-3\nmax_time = "120 s"': 'kind = "relax"'},
         ["cell", "own image"], raw=POLYGONS),
    biaxial("membrane without pressure", 'stress = "$confining"\nrays', 'stress = "0 kPa"\nrays', "boundary.membrane.stress", "0 kPa"),
    biaxial("membrane of no rays", 'rays_per_diameter = "$rays_per_diameter"', "rays_per_diameter = 0", "boundary.membrane.rays_per_diameter"),
    biaxial("membrane on a wall that is not there", 'kind = "membrane"', 'kind = "membrane"\ncap = "cup"', "boundary.membrane.cap", "did you mean 'cap'"),
    biaxial("membrane on a side wall", 'kind = "membrane"', 'kind = "membrane"\ncap = "left"', "boundary.membrane.cap", "does not face"),
    biaxial("two membranes", '[boundary.membrane]', '[boundary.sleeve]\nkind = "membrane"\nstress = "1 kPa"\n\n[boundary.membrane]', "boundary.membrane.kind", "already"),
    biaxial("periodic sample in a membrane", 'place = { kind = "random-without-overlap" }\n\n[cell]\nsize = ["$width", "$zone"]\nperiodic = [0, 0]',
            'place = { kind = "random-without-overlap" }\n\n[cell]\nsize = ["$width", "$zone"]\nperiodic = [1, 0]', "periodic along x"),
    biaxial("mistyped key of a stage", "increments = 20", "incremnts = 20", "did you mean 'increments'"),
    biaxial("friction of a material that is not there", 'friction_of = "soil"\nfriction = "$mu_g"\nmin_time', 'friction_of = "sail"\nfriction = "$mu_g"\nmin_time',
            "friction_of", "soil"),
    biaxial("friction below zero", 'friction = "$mu_g"\nmin_time', "friction = -0.2\nmin_time", "stage[0].friction", "-0.2"),
    biaxial("free wall without mass", 'cap = { control = "free", stress = "$confining", mass = "1e5 kg" }\nleft', 'cap = { control = "free", stress = "$confining" }\nleft', "mass"),
    biaxial("free wall under a stress and a force", 'cap = { control = "free", stress = "$confining", mass = "1e5 kg" }\nleft',
            'cap = { control = "free", stress = "$confining", force = "1 kN", mass = "1e5 kg" }\nleft', "both a stress and a force"),
    biaxial("servo on rigid grains", 'cap = { control = "free", stress = "$confining", mass = "1e5 kg" }\nleft',
            'cap = { control = "stress", stress = "$confining", speed_max = "1 mm/s" }\nleft', "stage[3].wall", 'control = "free"'),
    biaxial("cap that is not there", 'platen = "cap"\n\n', 'platen = "cop"\n\n', "did you mean 'cap'"),
    polygons("polygon that is not convex", 'shape = "corners"\ncorners = [0, 0, 1, 0, 0.2, 0.2, 0, 1]', "grains.soil.corners", "not convex"),
    polygons("polygon that crosses itself", 'shape = "corners"\ncorners = [0, 0, 1, 1, 1, 0, 0, 1]', "grains.soil.corners", "crosses itself"),
    polygons("polygon without area", 'shape = "corners"\ncorners = [0, 0, 1, 0, 2, 0]', "grains.soil.corners", "area"),
    polygons("polygon with a corner on an edge", 'shape = "corners"\ncorners = [0, 0, 0.5, 0, 1, 0, 1, 1, 0, 1]', "grains.soil.corners", "straight"),
    polygons("polygon of two corners", 'shape = "corners"\ncorners = [0, 0, 1, 0]', "grains.soil.corners"),
    polygons("polygon of half a corner", 'shape = "corners"\ncorners = [0, 0, 1, 0, 0]', "two coordinates"),
    polygons("polygon of too many corners", 'shape = "polygon"\nvertices = 33', "grains.soil.vertices", "32"),
    Case("stress of a cell of rigid grains", {'periodic = [0, 0]': 'periodic = [1, 1]', '[boundary.box]\nkind = "box"\nmaterial = "soil"\n': "",
                                               'kind = "settle"\nmin_time = "20 s"\nunbalanced = 1e-3\nmax_time = "120 s"': 'kind = "isotropic"\npressure = "1 kPa"\nrate = 0.05'},
         ["stage[0].kind", "deform"], raw=POLYGONS),
    Case("sizes by ratio and by length", {'sizes = { kind = "single", diameter = "1 m" }': 'sizes = { kind = "uniform", min = "0.5 m", max = "1 m", ratio = 2 }'},
         ["grains.soil.sizes.ratio", "min"], raw=POLYGONS),
    Case("rigid grains that grow", {'kind = "settle"': 'kind = "grow"'}, ["stage[0].kind", "rigid grains do not grow"], raw=POLYGONS),
    Case("soft polygons of a law that they do not have", {'default = "impulse", about = "impulse: rigid grains': 'default = "dem", about = "rigid grains',
                                                           'law = "linear"\nnormal_stiffness = "$stiffness"': 'law = "hertz-mindlin"',
                                                           'stiffness    = { default = "10 MPa", about = "contact stiffness with method dem" }\n': ""},
         ["contact", "polygons", "linear"], raw=POLYGONS),
    polygons("compound without parts", 'shape = "compound"', "grains.soil.shape", "part"),
    polygons("compound of a part that is not convex",
             'shape = "compound"\npart = [{ corners = [0, 0, 1, 0, 1, 1, 0, 1] }, { corners = [0, 0, 1, 0, 0.2, 0.2, 0, 1] }]',
             "corners", "not convex"),
    polygons("compound of a part without area",
             'shape = "compound"\npart = [{ corners = [0, 0, 1, 0, 2, 0] }]', "corners", "area"),
    polygons("compound of parts that are apart",
             'shape = "compound"\npart = [{ corners = [0, 0, 1, 0, 1, 1, 0, 1] }, { corners = [2, 0, 3, 0, 3, 1, 2, 1] }]',
             "grains.soil.part", "part 2 is apart"),
    Case("compound of soft grains", {}, ["grains.ells.shape", "convex"],
         raw=(SOURCE / "scenes/compounds.toml").read_text().replace('method = "impulse"', 'method = "dem"').replace(
             'restitution = 0\n', 'restitution = 0\nyoung = "1 GPa"\n')),
    polygons("limits that no polygon meets", 'shape = "polygon"\nvertices = 12\nshortest_edge = 0.3', "grains.soil.vertices"),
    # wrong types
    value("text for a number", "friction = 0.3", 'friction = "rough"', "material.sand.friction", "rough"),
    value("number for a text", 'title = "a few grains"', "title = 7", "title", "7"),
    Case("number for a table", {"[dynamics]\nlocal_damping = 0.7\n": "", "seed = 1": "seed = 1\ndynamics = 3"},
         ["dynamics", "table"], at="dynamics = 3"),
    value("true for a number", "count = 30", "count = true", "grains.sand.count", "true"),
    value("list for a number", "poisson = 0.2", "poisson = [0.2, 0.3]", "material.sand.poisson"),
    value("fraction for a whole number", "count = 30", "count = 30.5", "grains.sand.count", "30.5"),
    value("number for true or false", "vtk = false", "vtk = 3", "output.vtk", "3"),
    value("list of the wrong length", 'size = ["5.7 mm", "5.7 mm", "5.7 mm"]', 'size = ["5.7 mm", "5.7 mm"]', "cell.size", "3"),
    value("single value for a list", 'size = ["5.7 mm", "5.7 mm", "5.7 mm"]', 'size = "5.7 mm"', "cell.size"),
    # units
    value("unit of the wrong dimension", 'density = "2650 kg/m3"', 'density = "2650 kPa"', "material.sand.density", "kPa"),
    value("unknown unit", 'young = "20 MPa"', 'young = "20 MPu"', "material.sand.young", "MPu"),
    value("unit on a pure number", "poisson = 0.2", 'poisson = "0.2 m"', "material.sand.poisson"),
    value("unit without a number", 'young = "20 MPa"', 'young = "MPa"', "material.sand.young"),
    stage("angle without a unit", 'kind = "collide"\nspeed = 1\nangle = 10\nmax_time = 1\n', "stage[0].angle", "deg",
          at="angle = 10"),
    # keys
    value("misspelt key", "poisson = 0.2", "poison = 0.2", "material.sand.poison", "did you mean 'poisson'"),
    value("unknown key", "[contact]", "[contact]\nwobble = 1", "contact.wobble", "unknown key", "the keys known here"),
    value("misspelt table", "[dynamics]", "[dynamic]", "dynamic", "did you mean 'dynamics'"),
    value("misspelt key that is required", "count = 30", "cuont = 30", "grains.sand.count", "did you mean 'count'"),
    value("key of another kind", SIZES, 'sizes = { kind = "single", diameter = "1 mm", cu = 2 }', "cu"),
    value("two keys that exclude one another", 'young = "20 MPa"', 'young = "20 MPa"\nshear_modulus = "1 GPa"',
          "young", "shear_modulus"),
    Case("missing key", {'density = "2650 kg/m3"\n': ""}, ["material.sand.density", "missing"], at="[material.sand]"),
    Case("missing size of the cell", {'size = ["5.7 mm", "5.7 mm", "5.7 mm"]\n': ""}, ["cell.size"], at="[cell]"),
    Case("missing cell", {'[cell]\nsize = ["5.7 mm", "5.7 mm", "5.7 mm"]\nperiodic = [1, 1, 1]\n': ""}, ["cell"]),
    Case("no stages", {'[[stage]]\nkind = "isotropic"\npressure = "$pressure"\ninertial_number = 0.05\n': ""}, ["stage"]),
    Case("no grains", {f"[grains.sand]\ncount = 30\n{SIZES}\n{PLACE}\n": ""}, ["grains", "[grains.sand]"]),
    Case("no material", {'[material.sand]\ndensity = "2650 kg/m3"\nyoung = "20 MPa"\npoisson = 0.2\nfriction = 0.3\n'
                         "restitution = 0.9\n": ""}, ["material", "[material.sand]"]),
    value("duplicate key", "friction = 0.3", "friction = 0.3\nfriction = 0.4", "TOML"),
    value("duplicate table", "[contact]", "[material.sand] # again", "TOML"),
    # ranges
    value("negative size", SIZES, 'sizes = { kind = "uniform", min = "-1 mm", max = "2 mm" }', "grains.sand.sizes.min"),
    value("zero size", SIZES, 'sizes = { kind = "single", diameter = 0 }', "grains.sand.sizes.diameter"),
    value("largest below smallest", SIZES, 'sizes = { kind = "uniform", min = "3 mm", max = "2 mm" }', "sizes.max"),
    value("negative density", 'density = "2650 kg/m3"', "density = -2650", "material.sand.density", "-2650"),
    value("density that is not a number", 'density = "2650 kg/m3"', "density = nan", "material.sand.density"),
    value("infinite stiffness", 'young = "20 MPa"', "young = inf", "material.sand.young"),
    value("number too large for a double", 'young = "20 MPa"', 'young = "1e400 Pa"', "material.sand.young"),
    value("Poisson's ratio above one half", "poisson = 0.2", "poisson = 0.51", "material.sand.poisson", "0.5"),
    value("Poisson's ratio of minus one", "poisson = 0.2", "poisson = -1", "material.sand.poisson"),
    # contacts that feel one another
    multi("model that is not there", 'model = "multicontact"', "multi_contact.model", "did you mean 'multi-contact'"),
    multi("gamma of zero", "gamma = 0", "multi_contact.gamma"),
    multi("negative gamma", "gamma = -1.19", "multi_contact.gamma", "-1.19"),
    Case("friction forces in a model without them", {"[dynamics]\n": "[multi_contact]\nmodel = \"point-on-sphere\"\ntangential = true\n\n[dynamics]\n"},
         ["multi_contact.tangential", "point-on-sphere has normal forces alone"], at="tangential = true"),
    multi("reach of nothing", "reach = 0", "multi_contact.reach"),
    multi("misspelt key of a model", "gama = 1.19", "multi_contact.gama", "did you mean 'gamma'"),
    Case("contacts that feel one another in contact dynamics", {"[cell]\n": "[multi_contact]\nmodel = \"half-space\"\n\n[cell]\n"}, ["multi_contact.model"],
         raw=ROWE),
    stage("cycles of a platen that is not there", 'kind = "cycle"\nplaten = "lid"\ntravel = "1 mm"\nspeed = "1 mm/s"\n', "lid", "no walls"),
    stage("cycles without a way", 'kind = "cycle"\nplaten = "lid"\ntravel = 0\nspeed = "1 mm/s"\n', "stage[0].travel"),
    positions("two grains nearly in one place", HEADER + "1,1,1,1\n1.01,1,1,1\n", "line 2", at="1.01,1,1,1"),
    value("negative friction", "friction = 0.3", "friction = -0.3", "material.sand.friction", "-0.3"),
    value("restitution above one", "restitution = 0.9", "restitution = 1.1", "material.sand.restitution", "1.1"),
    value("damping of one", "local_damping = 0.7", "local_damping = 1", "dynamics.local_damping"),
    value("four dimensions", "dimension = 3", "dimension = 4", "dimension", "4"),
    value("negative seed", "seed = 1", "seed = -1", "seed", "-1"),
    value("no replicates", "seed = 1", "seed = 1\nreplicates = 0", "replicates"),
    value("1e12 grains", "count = 30", "count = 1000000000000", "grains.sand.count", "1000000000000"),
    value("a lattice of 4e9 grains", f"count = 30\n{SIZES}\n{PLACE}",
          'sizes = { kind = "single", diameter = "1 mm" }\n'
          'place = { kind = "lattice", lattice = "fcc", repeats = [1000, 1000, 1000] }', "repeats"),
    value("a lattice of half a cell", f"count = 30\n{SIZES}\n{PLACE}",
          'sizes = { kind = "single", diameter = "1 mm" }\n'
          'place = { kind = "lattice", lattice = "sc", repeats = [2.5, 2, 2] }', "repeats"),
    # fields against one another
    value("cell smaller than a grain", 'size = ["5.7 mm", "5.7 mm", "5.7 mm"]', 'size = ["5.7 mm", "5.7 mm", "1 mm"]',
          "cell.size", "largest grain"),
    Case("too many grains for the room", {"count = 30": "count = 300"}, ["grains.sand.place.scale", "of 300 grains"],
         at=PLACE),
    value("time step above the limit", "local_damping = 0.7", 'local_damping = 0.7\ntime_step = "1 ms"',
          "dynamics.time_step", "limit", "force_time_step"),
    value("periodic neither 0 nor 1", "periodic = [1, 1, 1]", "periodic = [1, 1, 0.5]", "cell.periodic"),
    value("unknown material", "count = 30", 'count = 30\nmaterial = "snad"', "grains.sand.material", "sand"),
    value("unknown law", 'law = "hertz-mindlin"', 'law = "hertz"', "contact.law", "hertz-mindlin"),
    value("unknown shape", "count = 30", 'count = 30\nshape = "cube"', "grains.sand.shape", "sphere"),
    value("unknown method", 'method = "dem"', 'method = "fem"', "method", "dem"),
    value("pair of an unknown material", "[grains.sand]", "[pair.sand.clay]\n\n[grains.sand]", "pair.sand.clay", "clay"),
    Case("law without its constants", {'law = "hertz-mindlin"': 'law = "linear"'}, ["contact.normal_stiffness"],
         at="[contact]"),
    Case("unknown stage", {'kind = "isotropic"': 'kind = "isotropc"'}, ["stage[0].kind", "isotropic"],
         at='kind = "isotropc"'),
    stage("stage without its goal", 'kind = "isotropic"\n', "stage[0].pressure", "missing"),
    stage("stage with both speeds", 'kind = "isotropic"\npressure = "10 kPa"\nrate = 1\ninertial_number = 1e-3\n',
          "stage[0].rate", at="rate = 1"),
    stage("servo of a cell with open edges", 'kind = "isotropic"\npressure = "10 kPa"\n', "periodic", edits=OPEN),
    stage("collision of many", 'kind = "collide"\nspeed = 1\nmax_time = 1\n', "collision"),
    stage("settling without a floor", 'kind = "settle"\n', "gravity"),
    stage("unknown wall in a stage", 'kind = "relax"\n[stage.wall.top]\ncontrol = "fixed"\n', "stage[0].wall.top",
          "no wall"),
    boundary("wall that cuts a periodic axis", 'kind = "platen"\nface = "z_high"', "boundary.lid.face", "periodic",
             at='face = "z_high"'),
    boundary("box in a periodic cell", 'kind = "box"', "boundary.lid.kind", "periodic", at='kind = "box"'),
    boundary("unknown face", 'kind = "platen"\nface = "top"', "boundary.lid.face", "z_high", edits=OPEN,
             at='face = "top"'),
    boundary("wall without a direction", 'kind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 0]', "boundary.lid.normal",
             edits=OPEN, at="normal = [0, 0, 0]"),
    boundary("servo wall without a load", 'kind = "platen"\nface = "z_high"\ncontrol = "stress"', "boundary.lid.stress",
             "missing", edits=OPEN),
    Case("reference to an unknown parameter", {'"$pressure"': '"$presure"'}, ["stage[0].pressure", "$pressure"],
         at='pressure = "$presure"'),
    Case("parameter that nothing uses", {'pressure = "$pressure"': 'pressure = "10 kPa"'}, ["parameters.pressure"],
         at="pressure = { default"),
    Case("parameter beyond its own limits", {'default = "10 kPa"': 'default = "10 Pa"'}, ["pressure", "1000 Pa"],
         at="pressure = { default"),
    # the file itself
    value("broken TOML", "[contact]", "[contact", "TOML"),
    value("value missing in TOML", "count = 30", "count =", "TOML"),
    Case("empty scene", raw="", says=["material"]),
    Case("bytes that are not text", raw="title = \"\udcff\udcfe\"\n", says=["TOML"], at="title"),
    # other files
    value("sieve curve that is not there", SIZES, SIEVE, "sieve.csv"),
    value("positions that are not there", f"count = 30\n{SIZES}\n{PLACE}", FROM_FILE, "grains.csv"),
    sieve("sieve curve that falls", "size [mm],passing\n0.5,0\n1,0.4\n2,0.2\n3,1\n", "passing", at="2,0.2"),
    sieve("sieve curve without a column", "size [mm],pasing\n1,0\n2,1\n", "passing", at="size [mm]"),
    sieve("sieve curve that does not start at 0", "size [mm],passing\n1,0.2\n2,1\n", "passing", "start at 0"),
    sieve("sieve twice", "size [mm],passing\n1,0\n1,0.5\n2,1\n", "size", at="1,0.5"),
    sieve("sieve of a negative size", "size [mm],passing\n-1,0\n2,1\n", "size", at="-1,0"),
    sieve("sieve curve in other units", "size [kPa],passing\n1,0\n2,1\n", "size", "kPa", at="size [kPa]"),
    Case("sieve curve is a folder", {SIZES: SIEVE.replace("sieve.csv", ".")}, ["sizes.file", "folder"]),
    positions("position that is not a number", HEADER + "1,1,1,1\n2,2,nan,1\n", "z", at="2,2,nan"),
    positions("position that is missing", HEADER + "1,1,1,1\n2,2,1\n", "4", at="2,2,1"),
    positions("positions without z", "x [mm],y [mm],diameter [mm]\n1,1,1\n", "z", at="x [mm]"),
    positions("positions without sizes", "x [mm],y [mm],z [mm]\n1,1,1\n", "diameter", at="x [mm]"),
    positions("two grains in one place", HEADER + "1,1,1,1\n1,1,1,2\n", "line 2", at="1,1,1,2"),
    positions("grain outside the cell", HEADER + "1,1,1,1\n1,20,1,1\n", "outside", at="1,20,1,1"),
    positions("grain of no size", HEADER + "1,1,1,0\n", "diameter", at="1,1,1,0"),
    positions("grain larger than the cell", HEADER + "1,1,1,50\n", "larger than the cell", at="1,1,1,50"),
    positions("positions with a header alone", HEADER, "rows"),
    positions("positions without a header", "1,1,1,1\n2,2,2,1\n", "name the columns", at="1,1,1,1"),
    value("list that is not whole points", f"count = 30\n{SIZES}\n{PLACE}",
          'sizes = { kind = "single", diameter = "1 mm" }\nplace = { kind = "list", positions = [0.001, 0.001] }',
          "grains.sand.place.positions"),
    value("list of grains in one place", f"count = 30\n{SIZES}\n{PLACE}",
          'sizes = { kind = "single", diameter = "1 mm" }\nplace = { kind = "list", positions = [0, 0, 0, 0, 0, 0] }',
          "grains.sand.place.positions", "same place"),
    # the command line
    setting("--set of an unknown name", "presure=10", "presure", "did you mean 'pressure'"),
    setting("--set of an unknown path", "dynamics.skim=0.3", "dynamics.skim", "did you mean 'skin'"),
    setting("--set below an unknown table", "dynamic.skin=0.3", "did you mean 'dynamics'"),
    setting("--set of a bad value", "pressure=high", "pressure", "high"),
    setting("--set below a parameter's limit", "pressure=0.5 kPa", "pressure", "1000 Pa"),
    setting("--set with the wrong unit", "pressure=10 mm", "pressure", "mm"),
    setting("--set beyond a range", "material.sand.poisson=0.7", "material.sand.poisson", "0.7"),
    setting("--set of a stage that is not there", "stage.7.pressure=1", "stage"),
    setting("--set without a value", "pressure", "name=value"),
    setting("--set without a name", "=3", "name=value"),
    setting("--set of a whole table", "dynamics=3", "dynamics"),
    Case("--set twice", arguments=["--set", "seed=1", "--set", "seed=2"], says=["seed", "twice"], in_file=None),
    Case("--device cuda", arguments=["--device", "cuda"], says=["cuda", "CUDA"]),
    Case("--device of no kind", arguments=["--device", "tpu"], says=["--device", "tpu"], in_file=None),
    Case("--threads 0", arguments=["--threads", "0"], says=["--threads"], in_file=None),
    Case("--until in words", arguments=["--until", "later"], says=["--until", "later"], in_file=None),
    Case("--until a negative time", arguments=["--until", "-1"], says=["--until"], in_file=None),
    Case("--quiet and --json", arguments=["--quiet", "--json"], says=["--quiet", "--json"], in_file=None),
    Case("unknown option", arguments=["--fast"], says=["--fast"], in_file=None),
    Case("unknown command", words=["rnu"], says=["rnu"], in_file=None),
]
