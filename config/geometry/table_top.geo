algebraic3d
# A table top of 0.8 m x 0.6 m, 12 mm thick; its upper side is at z = 0.
solid top = orthobrick (-0.4, -0.3, -0.012; 0.4, 0.3, 0);
tlo top;
