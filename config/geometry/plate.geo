algebraic3d
# A square plate, 0.4 m wide (x, y), 20 mm thick, its top at z = 0.
solid plate = orthobrick (-0.2, -0.2, -0.02; 0.2, 0.2, 0);
tlo plate;
