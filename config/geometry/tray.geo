algebraic3d
# A round flower tray, 0.3 m wide, its rim 45 mm high, walls and floor 10 mm thick; it stands on z = 0.
solid outside = cone (0, 0, 0; 0.135; 0, 0, 0.045; 0.15) and plane (0, 0, 0; 0, 0, -1) and plane (0, 0, 0.045; 0, 0, 1);
solid inside = cone (0, 0, 0.01; 0.128; 0, 0, 0.045; 0.14) and plane (0, 0, 0.01; 0, 0, -1) and plane (0, 0, 0.05; 0, 0, 1);
solid tray = outside and not inside;
tlo tray;
