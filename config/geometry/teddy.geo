algebraic3d
# A teddy bear, 0.38 m high, that sits on z = 0 and looks along -y. Limbs are spheres: netgen makes the elements of small
# ellipsoids much smaller.
solid body = ellipsoid (0, 0, 0.12; 0.11, 0, 0; 0, 0.1, 0; 0, 0, 0.12);
solid head = sphere (0, -0.01, 0.28; 0.085);
solid snout = sphere (0, -0.07, 0.265; 0.043);
solid left_ear = sphere (0.07, 0, 0.34; 0.04);
solid right_ear = sphere (-0.07, 0, 0.34; 0.04);
solid left_arm = sphere (0.115, -0.035, 0.165; 0.05);
solid right_arm = sphere (-0.115, -0.035, 0.165; 0.05);
solid left_leg = sphere (0.065, -0.095, 0.056; 0.056);
solid right_leg = sphere (-0.065, -0.095, 0.056; 0.056);
solid teddy = body or head or snout or left_ear or right_ear or left_arm or right_arm or left_leg or right_leg;
tlo teddy;
