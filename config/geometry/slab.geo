algebraic3d
# A square slab, 1 m wide (x, y), 50 mm thick, its top at z = 0.
solid slab = orthobrick (-0.5, -0.5, -0.05; 0.5, 0.5, 0);
tlo slab;
