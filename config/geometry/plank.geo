algebraic3d
# A plank, 0.4 m long (x), 0.2 m wide (y) and 30 mm thick, its top at z = 0.
solid plank = orthobrick (-0.2, -0.1, -0.03; 0.2, 0.1, 0);
tlo plank;
