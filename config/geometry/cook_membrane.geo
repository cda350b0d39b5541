algebraic3d
# Cook's membrane: a tapered panel in the plane x, y, from (0, 0), (0, 44) to (48, 60), (48, 44), 2 thick (z).
solid panel = orthobrick (0, 0, 0; 48, 60, 2)
  and plane (0, 0, 0; 44, -48, 0)
  and plane (0, 44, 0; -16, 48, 0);
tlo panel;
