algebraic3d
# An upright square sheet, 1 m wide (x) and high (z), 40 mm thick (y), centred at the origin.
solid sheet = orthobrick (-0.5, -0.02, -0.5; 0.5, 0.02, 0.5);
tlo sheet;
