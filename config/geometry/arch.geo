algebraic3d
# A shallow arch over 1 m (x), 0.05 m of rise (z) in its middle line, 0.012 m thick and 0.04 m wide (y).
solid between = plane (-0.5, 0, 0; -1, 0, 0) and plane (0.5, 0, 0; 1, 0, 0) and plane (0, 0, 0; 0, -1, 0)
  and plane (0, 0.04, 0; 0, 1, 0) and plane (0, 0, -0.2; 0, 0, -1);
solid arch = cylinder (0, -1, -2.475; 0, 1, -2.475; 2.531) and not cylinder (0, -1, -2.475; 0, 1, -2.475; 2.519) and between;
tlo arch;
