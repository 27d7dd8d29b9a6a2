"""Draws S∞ over the number of points, measured and by formula, as an SVG file."""

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "tine",  # the same file for the same figures
    "svg.fonttype": "none",
    "font.family": "sans-serif",
})

from matplotlib import pyplot  # noqa: E402

STYLES = {
    False: {"color": "#c2410c", "marker": "o", "label": "incoming indices kept", "line": "4 n log₂ n"},
    True: {"color": "#1d4ed8", "marker": "s", "label": "cleared before the recursive calls", "line": "12 n"},
}


def draw(lines, formula, path):
    """`lines` are the study's, with `n`, `clear` and `space`."""
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for clear, style in STYLES.items():
        points = sorted((line["n"], line["space"]["worst_peak"]) for line in lines if line["clear"] == clear)
        sizes = [n for n, _ in points]
        axes.plot(sizes, [formula(n, clear) for n in sizes], color=style["color"], linewidth=1, label=style["line"])
        axes.plot(sizes, [peak for _, peak in points], style["marker"], color=style["color"], label=style["label"])
    axes.set(xscale="log", yscale="log", xlabel="points", ylabel="bytes in the worst schedule (S∞)")
    axes.grid(which="both", color="#dddddd", linewidth=0.5)
    axes.legend(frameon=False)
    figure.patch.set_facecolor("white")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
