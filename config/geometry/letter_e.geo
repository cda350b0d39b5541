algebraic3d
# The letter E, 0.3 m high (z), 0.2 m wide (x), 80 mm deep (y), strokes 60 mm; its foot at z = 0.
solid letter = orthobrick (-0.1, -0.04, 0; -0.04, 0.04, 0.3) or orthobrick (-0.06, -0.04, 0; 0.1, 0.04, 0.06)
  or orthobrick (-0.06, -0.04, 0.12; 0.08, 0.04, 0.18) or orthobrick (-0.06, -0.04, 0.24; 0.1, 0.04, 0.3);
tlo letter;
