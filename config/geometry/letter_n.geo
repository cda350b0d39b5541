algebraic3d
# The letter N, 0.3 m high (z), 0.24 m wide (x), 80 mm deep (y), strokes 60 mm; its foot at z = 0.
solid posts = orthobrick (-0.12, -0.04, 0; -0.06, 0.04, 0.3) or orthobrick (0.06, -0.04, 0; 0.12, 0.04, 0.3);
solid frame = orthobrick (-0.12, -0.04, 0; 0.12, 0.04, 0.3);
solid slope = frame and plane (-0.06, 0, 0.3; 5, 0, 4) and plane (0.06, 0, 0; -5, 0, -4);
solid letter = posts or slope;
tlo letter;
