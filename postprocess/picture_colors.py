"""Colours of pictures, and how numbers become colours."""
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor
from vtkmodules.vtkRenderingCore import vtkColorTransferFunction

ADOBE, CRACK, STEEL, FLOOR = (0.86, 0.66, 0.49), (0.22, 0.13, 0.08), (0.50, 0.53, 0.58), (0.90, 0.89, 0.87)
BACKGROUND, TEXT = (1.0, 1.0, 1.0), (0.15, 0.15, 0.17)
RAMP = [(0.23, 0.30, 0.55), (0.55, 0.70, 0.80), (0.93, 0.91, 0.86), (0.91, 0.62, 0.36), (0.66, 0.15, 0.12)]
UNITS = {"BirthTime": "s", "FailureTime": "s", "Stress": "Pa", "SmoothedStress": "Pa", "MaxPrincipalStress": "Pa", "VonMisesStress": "Pa",
         "Velocity": "m/s", "Speed": "m/s", "Displacement": "m", "MaterialPosition": "m", "Dent": "m"}


def fragment_colors(place):
    """Muted, and far apart for neighbours in size; the largest fragment keeps the colour of the wall."""
    hue = 2 * np.pi * (0.07 + 0.618034 * place)
    light = 0.66 + 0.09 * np.cos(2.4 * place)
    rgb = light[:, None] + 0.17 * np.stack([np.cos(hue), np.cos(hue - 2.094), np.cos(hue + 2.094)], axis=1)
    rgb[place == 0] = ADOBE
    return np.clip(rgb, 0, 1)


def common_range(solids, wanted):
    """Limits of the colours: as asked for, or what all but the outermost 1 % of the surface lies in, or 0 to 1 where it has no numbers."""
    if wanted:
        return wanted
    values = np.concatenate([solid.values for solid in solids])
    values = values[np.isfinite(values)]
    if values.size == 0:
        return 0.0, 1.0
    low, high = np.percentile(values, [1, 99])
    if low < 0 < high:  # the pale middle of the ramp then means zero
        return -max(-low, high), max(-low, high)
    return (low, high) if high > low else (low, low + 1)


def birth_range(solids, wanted):
    """Limits of the colours of crack faces: as asked for, or from the first to the last face shown."""
    births = [vtk_to_numpy(solid.cracks.GetCellData().GetArray("BirthTime")) for solid in solids]
    births = np.concatenate([of_one for of_one in births if of_one.size > 0] or [np.zeros(1)])
    return wanted or (births.min(), max(births.max(), births.min() + 1e-12))


def ramp_colors(values, limits):
    """Steel where there is no number, as for the time at which a node failed that has not."""
    place = np.clip((values - limits[0]) / (limits[1] - limits[0]), 0, 1)
    knots = np.linspace(0, 1, len(RAMP))
    colors = np.stack([np.interp(place, knots, [color[k] for color in RAMP]) for k in range(3)], axis=1)
    colors[np.isnan(values)] = STEEL
    return colors


def color_bar(limits, title):
    function = vtkColorTransferFunction()
    for place, color in zip(np.linspace(limits[0], limits[1], len(RAMP)), RAMP):
        function.AddRGBPoint(place, *color)
    bar = vtkScalarBarActor()
    bar.SetLookupTable(function)
    bar.SetTitle(f"{title} [{UNITS[title.partition(':')[0]]}]" if title.partition(":")[0] in UNITS else title)
    bar.SetNumberOfLabels(5)
    bar.SetLabelFormat("%.3g")
    bar.SetPosition(0.05, 0.15)
    bar.SetWidth(0.9)
    bar.SetHeight(0.7)
    bar.SetBarRatio(0.15)
    bar.SetVerticalTitleSeparation(12)
    bar.UnconstrainedFontSizeOn()
    for text in (bar.GetLabelTextProperty(), bar.GetTitleTextProperty()):
        text.SetFontSize(14)
        text.SetColor(*TEXT)
        text.ItalicOff()
        text.BoldOff()
        text.ShadowOff()
    return bar
