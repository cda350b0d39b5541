algebraic3d
# An upright window pane, 1 m wide (x) and high (z), 20 mm thick (y), centred at the origin.
solid pane = orthobrick (-0.5, -0.01, -0.5; 0.5, 0.01, 0.5);
tlo pane;
