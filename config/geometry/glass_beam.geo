algebraic3d
# A strip of glass, 0.4 m long (x), 0.1 m wide (y), 20 mm high (z), to lie on its lower edges and to be bent down in the
# middle. A saw has cut 4 mm into its lower face, 30 mm beside the middle and askew. Its top falls by a degree to both
# sides: the ridge at x = 0 is a row of nodes, to be loaded.
solid block = orthobrick (-0.2, 0, 0; 0.2, 0.1, 0.03);
solid roof = plane (0, 0, 0.02; 0.017452, 0, 0.999848) and plane (0, 0, 0.02; -0.017452, 0, 0.999848);
solid cut = plane (0.03, 0, 0.004; 0.981, 0.17, 0.0872) and plane (0.03, 0, 0.004; -0.981, -0.17, 0.0872);
solid strip = block and roof and not cut;
tlo strip;
