algebraic3d
# A teddy bear, 0.38 m high, that sits on z = 0 and looks along -y.
solid body = ellipsoid (0, 0, 0.12; 0.1, 0, 0; 0, 0.085, 0; 0, 0, 0.12);
solid head = sphere (0, -0.01, 0.28; 0.08);
solid snout = ellipsoid (0, -0.075, 0.265; 0.035, 0, 0; 0, 0.04, 0; 0, 0, 0.03);
solid left_ear = sphere (0.065, 0, 0.345; 0.033);
solid right_ear = sphere (-0.065, 0, 0.345; 0.033);
solid left_arm = ellipsoid (0.11, -0.03, 0.17; 0.06, 0, 0; 0, 0.035, 0; 0, 0, 0.035);
solid right_arm = ellipsoid (-0.11, -0.03, 0.17; 0.06, 0, 0; 0, 0.035, 0; 0, 0, 0.035);
solid left_leg = ellipsoid (0.06, -0.09, 0.045; 0.042, 0, 0; 0, 0.09, 0; 0, 0, 0.042);
solid right_leg = ellipsoid (-0.06, -0.09, 0.045; 0.042, 0, 0; 0, 0.09, 0; 0, 0, 0.042);
solid teddy = body or head or snout or left_ear or right_ear or left_arm or right_arm or left_leg or right_leg;
tlo teddy;
