algebraic3d
# The letter D, 0.3 m high (z), 0.22 m wide (x), 80 mm deep (y), strokes 60 mm, its corners cut; its foot at z = 0.
solid outside = orthobrick (-0.1, -0.04, 0; 0.12, 0.04, 0.3) and plane (0.12, 0, 0.21; 1, 0, 1)
  and plane (0.12, 0, 0.09; 1, 0, -1);
solid inside = orthobrick (-0.04, -1, 0.06; 0.06, 1, 0.24) and plane (0.06, 0, 0.185; 1, 0, 1)
  and plane (0.06, 0, 0.115; 1, 0, -1);
solid letter = outside and not inside;
tlo letter;
