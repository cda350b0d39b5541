algebraic3d
# A wine glass, 0.17 m high, that stands on z = 0: a bowl 4 mm thick, open at z = 0.17, on a stem and a foot.
solid outer = ellipsoid (0, 0, 0.135; 0.038, 0, 0; 0, 0.038, 0; 0, 0, 0.055);
solid inner = ellipsoid (0, 0, 0.135; 0.034, 0, 0; 0, 0.034, 0; 0, 0, 0.050);
solid below_rim = plane (0, 0, 0.17; 0, 0, 1);
solid stem = cylinder (0, 0, -1; 0, 0, 1; 0.005)
  and plane (0, 0, 0.002; 0, 0, -1)
  and plane (0, 0, 0.084; 0, 0, 1);
solid foot = cylinder (0, 0, -1; 0, 0, 1; 0.035)
  and plane (0, 0, 0; 0, 0, -1)
  and plane (0, 0, 0.004; 0, 0, 1);
solid glass = (outer and below_rim or stem or foot) and not inner;
tlo glass;
