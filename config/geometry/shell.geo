algebraic3d
# A closed hollow ball of radius 0.25 m, 25 mm thick, centred at the origin.
solid shell = sphere (0, 0, 0; 0.25) and not sphere (0, 0, 0; 0.225);
tlo shell;
