algebraic3d
# A quarter of a plate, 0.5 m wide (x) and 0.8 m long (y), 12.5 mm thick (z), with a hole of 0.1 m across in its middle.
solid plate = orthobrick (0, 0, 0; 0.25, 0.4, 0.0125);
solid hole = cylinder (0, 0, 0; 0, 0, 1; 0.05);
solid quarter = plate and not hole;
tlo quarter;
