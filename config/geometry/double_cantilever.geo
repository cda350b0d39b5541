algebraic3d
# Two arms, 100 mm long (x), 2 mm thick (y), each 6 mm high (z), in mm. They meet at z = 0 from x = 30 on; before that a
# wedge, 0.6 mm wide at its mouth, keeps them apart. Top-level objects: 1 lower, 2 upper.
solid block = orthobrick (0, 0, -6; 100, 2, 6);
solid lower = block and plane (30, 0, 0; 0, 0, 1) and plane (30, 0, 0; -0.01, 0, 0.99995);
solid upper = block and plane (30, 0, 0; 0, 0, -1) and plane (30, 0, 0; -0.01, 0, -0.99995);
tlo lower;
tlo upper;
