algebraic3d
# A cinder block of 0.4 m x 0.2 m x 0.2 m that lies on z = 0, with two holes and walls 35 to 40 mm thick.
solid outside = orthobrick (-0.2, -0.1, 0; 0.2, 0.1, 0.2);
solid left = orthobrick (-0.165, -0.065, -1; -0.02, 0.065, 1);
solid right = orthobrick (0.02, -0.065, -1; 0.165, 0.065, 1);
solid block = outside and not (left or right);
tlo block;
