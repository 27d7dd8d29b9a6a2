#!/usr/bin/python3
"""Draws S∞ over the number of points, measured and by formula, from the study's lines as JSON on standard input: quickhull_plot.py SVG."""

import json
import sys
from pathlib import Path

import matplotlib

from study_quickhull import formula

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "tine"  # the same file for the same figures

from matplotlib import pyplot  # noqa: E402

STYLES = {
    False: {"color": "#c2410c", "marker": "o", "label": "incoming indices kept", "line": "4 n log₂ n"},
    True: {"color": "#1d4ed8", "marker": "s", "label": "cleared before the recursive calls", "line": "12 n"},
}


def draw(lines, path):
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for clear, style in STYLES.items():
        points = sorted({line["n"]: line["space"]["worst_peak"] for line in lines if line["clear"] == clear}.items())
        sizes = [n for n, _ in points]
        axes.plot(sizes, [formula(n, clear) for n in sizes], color=style["color"], linewidth=1, label=style["line"])
        axes.plot(sizes, [peak for _, peak in points], style["marker"], color=style["color"], label=style["label"])
    axes.set(xscale="log", yscale="log", xlabel="points", ylabel="bytes in the worst schedule (S∞)")
    axes.grid(which="both", color="#dddddd", linewidth=0.5)
    axes.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(json.load(sys.stdin), Path(sys.argv[1]))
