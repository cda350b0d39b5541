algebraic3d
# A bowl open upward: half a shell of radius 0.1 m, 8 mm thick, centred at the origin.
solid half = plane (0, 0, 0; 0, 0, 1);
solid bowl = sphere (0, 0, 0; 0.1) and not sphere (0, 0, 0; 0.092) and half;
tlo bowl;
