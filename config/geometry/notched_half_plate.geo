algebraic3d
# Half of a plate with two notches, above its plane of symmetry at z = 0: 100 mm wide (x) and high (z), 2 mm thick (y).
# The notch is 1.5 mm wide, parallel to the plane of symmetry at 25 mm from it, and 50 mm deep.
solid half = orthobrick (0, 0, 0; 0.1, 0.002, 0.1);
solid notch = orthobrick (-0.01, -0.01, 0.025; 0.05, 0.012, 0.0265);
solid plate = half and not notch;
tlo plate;
