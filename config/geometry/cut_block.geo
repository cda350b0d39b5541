algebraic3d
# T Fig. 4.12: a block of 1 m x 1 m (x, z), 0.1 m deep (y), with a cut from its left side to the middle and a hole
# in the lower half. The cut is a wedge, 8 mm wide at the mouth, sharp at its tip (0.5, y, 0.5).
solid block = orthobrick (0, 0, 0; 1, 0.1, 1);
solid cut = plane (0.5, 0, 0.5; 0.008, 0, 1) and plane (0.5, 0, 0.5; 0.008, 0, -1);
solid hole = cylinder (0.3, 0, 0.22; 0.3, 0.1, 0.22; 0.09) and orthobrick (-1, -0.1, -1; 2, 0.2, 2);
solid cut_block = block and not cut and not hole;
tlo cut_block;
