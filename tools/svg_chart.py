"""Line charts as SVG for the pages under docs/results: no packages needed.

    chart(path, title, x_label, y_label, curves, x_range=None, y_range=None, log_x=False, log_y=False)

A curve is a dict of x, y, label and optionally dash=True, dots=True.
"""
import html, math

COLOURS = ["#1f5fa8", "#d9662c", "#2a9d6f", "#8a4fbf", "#b8860b", "#444c56", "#d6337a", "#5bb4d9"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 440, 74, 18, 40, 56


def ticks(low, high, log):
    if log:
        return [10.0**k for k in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)]
    raw = (high - low) / 6
    step = 10 ** math.floor(math.log10(raw))
    step *= next(m for m in (1, 2, 5, 10) if m * step >= raw)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def chart(path, title, x_label, y_label, curves, x_range=None, y_range=None, log_x=False, log_y=False):
    xs = [x for c in curves for x in c["x"]]
    ys = [y for c in curves for y in c["y"]]
    x0, x1 = x_range or (min(xs), max(xs))
    y0, y1 = y_range or (min(ys), max(ys))

    def place(v, low, high, log, start, end):
        a, b, t = (math.log10(low), math.log10(high), math.log10(v)) if log else (low, high, v)
        return start + (t - a) / (b - a) * (end - start)

    px = lambda x: place(x, x0, x1, log_x, LEFT, WIDTH - RIGHT)
    py = lambda y: place(y, y0, y1, log_y, HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="#24303c">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="15" font-weight="bold">{html.escape(title)}</text>',
           f'<clipPath id="area"><rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}"/></clipPath>']
    for t in ticks(x0, x1, log_x):
        out.append(f'<line x1="{px(t):.1f}" x2="{px(t):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#e4e8ec"/>')
        out.append(f'<text x="{px(t):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{t:g}</text>')
    for t in ticks(y0, y1, log_y):
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{py(t):.1f}" y2="{py(t):.1f}" stroke="#e4e8ec"/>')
        out.append(f'<text x="{LEFT - 8}" y="{py(t) + 4:.1f}" text-anchor="end">{t:g}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">{html.escape(x_label)}</text>')
    out.append(f'<text transform="translate(18 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">{html.escape(y_label)}</text>')
    for k, c in enumerate(curves):
        colour = COLOURS[k % len(COLOURS)]
        points = [(px(x), py(y)) for x, y in zip(c["x"], c["y"])]
        dash = ' stroke-dasharray="6 4"' if c.get("dash") else ""
        out.append(f'<polyline clip-path="url(#area)" fill="none" stroke="{colour}" stroke-width="1.8"{dash} points="'
                   + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
        if c.get("dots"):
            out += [f'<circle clip-path="url(#area)" cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points]
        y = TOP + 16 + 18 * k
        out.append(f'<line x1="{WIDTH - 262}" x2="{WIDTH - 234}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="1.8"{dash}/>')
        out.append(f'<text x="{WIDTH - 228}" y="{y}">{html.escape(c["label"])}</text>')
    out.append("</svg>\n")
    path.write_text("\n".join(out))
