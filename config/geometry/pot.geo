algebraic3d
# A pot, 0.2 m high, that stands on z = 0: a belly 10 mm thick with a flat bottom, open at z = 0.2.
solid outer = ellipsoid (0, 0, 0.09; 0.12, 0, 0; 0, 0.12, 0; 0, 0, 0.15);
solid inner = ellipsoid (0, 0, 0.09; 0.11, 0, 0; 0, 0.11, 0; 0, 0, 0.14)
  and plane (0, 0, 0.012; 0, 0, -1);
solid below_rim = plane (0, 0, 0.2; 0, 0, 1);
solid above_ground = plane (0, 0, 0; 0, 0, -1);
solid pot = outer and below_rim and above_ground and not inner;
tlo pot;
