algebraic3d
# A cube of 1 m.
solid block = orthobrick (0, 0, 0; 1, 1, 1);
tlo block;
