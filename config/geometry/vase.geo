algebraic3d
# A vase, 0.3 m high, that stands on z = 0: a belly and a neck with walls 12 mm thick, open at z = 0.3.
solid belly = ellipsoid (0, 0, 0.12; 0.09, 0, 0; 0, 0.09, 0; 0, 0, 0.125);
solid neck = cylinder (0, 0, -1; 0, 0, 1; 0.045)
  and plane (0, 0, 0.12; 0, 0, -1)
  and plane (0, 0, 0.3; 0, 0, 1);
solid in_belly = ellipsoid (0, 0, 0.12; 0.078, 0, 0; 0, 0.078, 0; 0, 0, 0.108);
solid in_neck = cylinder (0, 0, -1; 0, 0, 1; 0.033)
  and plane (0, 0, 0.12; 0, 0, -1)
  and plane (0, 0, 0.4; 0, 0, 1);
solid above_ground = plane (0, 0, 0; 0, 0, -1);
solid vase = (belly or neck) and above_ground and not (in_belly or in_neck);
tlo vase;
