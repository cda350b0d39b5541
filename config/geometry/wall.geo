algebraic3d
# A free-standing wall, 2.5 m wide (x), 0.2 m thick (y), 2 m high (z), its foot at z = 0.
solid wall = orthobrick (-1.25, -0.1, 0; 1.25, 0.1, 2);
tlo wall;
