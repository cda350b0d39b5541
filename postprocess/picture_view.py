"""Where the camera stands, and the light."""
import sys

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkLight
from vtkmodules.vtkRenderingOpenGL2 import vtkRenderStepsPass, vtkSSAAPass, vtkSSAOPass


def cloud_to_show(solids):
    """Points the view must hold: the body at rest, the obstacles at first and while they are near, later all but the fragments
    farthest off."""
    shown = np.concatenate([solid.points[np.unique(solid.triangles)] for solid in solids])
    low, high = np.percentile(shown, [2, 98], axis=0)
    near = shown[((shown >= low) & (shown <= high)).all(axis=1)]
    clouds = [solids[0].rest, near]
    obstacles = [vtk_to_numpy(solid.obstacles.GetPoints().GetData()) for solid in solids if solid.obstacles is not None]
    clouds += obstacles[:1]
    low, high = (of(np.concatenate(clouds), axis=0) for of in (np.min, np.max))
    way = np.linalg.norm(high - low) / 4
    clouds += [points for points in obstacles[1:] if ((points >= low - way) & (points <= high + way)).all()]
    return np.concatenate(clouds)


class View:
    """A camera that looks along the direction asked for, from where the whole cloud is just inside the picture."""

    ANGLE, MARGIN, CAPTION = np.radians(28), 0.05, 0.11  # margins as shares of the height, the caption's below

    def __init__(self, cloud, args):
        self.extent = np.linalg.norm(cloud.max(axis=0) - cloud.min(axis=0))
        towards = np.array(args.view) / np.linalg.norm(args.view)
        right = np.cross(args.up, towards)
        if np.linalg.norm(right) < 1e-9:
            sys.exit("--view: expected a direction that is not along --up")
        self.towards, self.right = towards, right / np.linalg.norm(right)
        self.top = np.cross(self.towards, self.right)
        self.size = args.size
        self.zoom = args.zoom
        self.focus, self.distance = (cloud.min(axis=0) + cloud.max(axis=0)) / 2, 4 * self.extent
        for _ in range(4):  # centre the silhouette and fit it; perspective changes it a little each time
            self._fit(cloud, args)

    def _fit(self, cloud, args):
        x, y, z = ((cloud - self.focus) @ axis for axis in (self.right, self.top, self.towards))
        seen_x, seen_y = x / (self.distance - z), y / (self.distance - z)
        width, height = np.ptp(seen_x), np.ptp(seen_y)
        if args.size is None:  # as tall as the silhouette needs
            pixels = 560 if args.frame == "strip" else 1200
            ratio = height / width
            tall = pixels * min(max(ratio / (1 - self.MARGIN - self.CAPTION + 2 * self.MARGIN * ratio), 0.5), 1.5)
            self.size = [pixels, int(tall)]
        slope = np.tan(self.ANGLE / 2)
        free_x = 2 * slope * (self.size[0] / self.size[1] - 2 * self.MARGIN)
        free_y = 2 * slope * (1 - self.MARGIN - self.CAPTION)
        self.focus = self.focus + self.distance / 2 * ((seen_x.min() + seen_x.max()) * self.right +
                                                       (seen_y.min() + seen_y.max()) * self.top)
        self.distance *= max(width / free_x, height / free_y)

    def place(self, camera):
        lowered = self.distance * np.tan(self.ANGLE / 2) * (self.CAPTION - self.MARGIN)  # leaves room for the caption
        focus = self.focus - lowered * self.top
        camera.SetFocalPoint(*focus)
        camera.SetPosition(*(focus + self.distance / self.zoom * self.towards))
        camera.SetViewUp(*self.top)
        camera.SetViewAngle(np.degrees(self.ANGLE))


def add_lights(renderer):
    """A warm key from above left, a cool fill from the right, a rim from behind; all move with the camera."""
    renderer.AutomaticLightCreationOff()
    key = ((-0.6, 0.9, 1.5), (1.0, 0.97, 0.92), 1.0)
    fill = ((1.3, 0.1, 0.9), (0.9, 0.95, 1.0), 0.35)
    rim = ((0.2, 0.9, -1.2), (1.0, 1.0, 1.0), 0.25)
    for position, color, intensity in (key, fill, rim):
        light = vtkLight()
        light.SetLightTypeToCameraLight()
        light.SetPosition(*position)
        light.SetColor(*color)
        light.SetIntensity(intensity)
        renderer.AddLight(light)


def soft_shadows(renderer, extent):
    """Shade where light gets into corners and cracks less, and smooth the edges of everything."""
    occlusion = vtkSSAOPass()
    occlusion.SetRadius(0.06 * extent)
    occlusion.SetBias(0.0015 * extent)
    occlusion.SetKernelSize(128)
    occlusion.BlurOn()
    occlusion.SetDelegatePass(vtkRenderStepsPass())
    smooth_edges(renderer, occlusion)


def smooth_edges(renderer, steps):
    smooth = vtkSSAAPass()
    smooth.SetDelegatePass(steps)
    renderer.SetPass(smooth)
