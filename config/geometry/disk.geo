algebraic3d
# A disk of glass, radius 37 mm, 2.5 mm thick, its top at z = 0. In millimetres.
solid side = cylinder (0, 0, -10; 0, 0, 10; 37);
solid top = plane (0, 0, 0; 0, 0, 1);
solid bottom = plane (0, 0, -2.5; 0, 0, -1);
solid disk = side and top and bottom;
tlo disk;
