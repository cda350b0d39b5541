algebraic3d
# A bar for three-point bending, 0.4 m long (x), 12.5 mm thick (y), 0.1 m high (z), with a sharp notch from below to
# half its height, 6 degrees wide. Its top falls by one degree to both sides: the ridge at x = 0 is a row of nodes, to
# be loaded by, as the lower edges at both ends are, to rest on.
solid block = orthobrick (-0.2, 0, 0; 0.2, 0.0125, 0.11);
solid roof = plane (0, 0, 0.1; 0.017452, 0, 0.999848) and plane (0, 0, 0.1; -0.017452, 0, 0.999848);
solid notch = plane (0, 0, 0.05; 0.99863, 0, 0.052336) and plane (0, 0, 0.05; -0.99863, 0, 0.052336);
solid bar = block and roof and not notch;
tlo bar;
