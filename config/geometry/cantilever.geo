algebraic3d
# A beam, 1 m long (x), 0.1 m wide and high, from the origin.
solid beam = orthobrick (0, 0, 0; 1, 0.1, 0.1);
tlo beam;
