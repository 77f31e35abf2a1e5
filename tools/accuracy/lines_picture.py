"""Draws levels along a line as SVG: `shadow` solid, `images` dashed, a colour for each frequency."""
import math

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 62, 150, 30, 46
COLOURS = ("#0072b2", "#009e73", "#e69f00", "#d55e00")  # told apart by colour-blind readers
MOST_POINTS = 260


def ticks(low, high):
    """Round numbers from low to high, some five to eight."""
    step = 10.0 ** math.floor(math.log10((high - low) / 5.0))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 8.0)
    first = math.ceil(low / step)
    return [step * i for i in range(first, int(math.floor(high / step)) + 1)]


def text(x, y, words, more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{words}</text>'


class Frame:
    """From metres along the line and dB beyond free space to the picture; more loss is farther down."""

    def __init__(self, last_m, low_db, high_db):
        self.last_m, self.low_db, self.high_db = last_m, low_db, high_db

    def x(self, along_m):
        return LEFT + (WIDTH - LEFT - RIGHT) * along_m / self.last_m

    def y(self, loss_db):
        return TOP + (HEIGHT - TOP - BOTTOM) * (loss_db - self.low_db) / (self.high_db - self.low_db)

    def axes(self):
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        parts = []
        for loss_db in ticks(self.low_db, self.high_db):
            y = self.y(loss_db)
            parts += [f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#ddd"/>',
                      text(LEFT - 6, y + 4, f"{loss_db:g}", 'text-anchor="end"')]
        parts += [text(self.x(along_m), bottom + 16, f"{along_m:g}", 'text-anchor="middle"')
                  for along_m in ticks(0.0, self.last_m)]
        parts += [f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" fill="none" stroke="#555"/>',
                  text((LEFT + right) / 2, HEIGHT - 10, "metres along the line", 'text-anchor="middle"'),
                  text(14, (TOP + bottom) / 2, "loss beyond free space, dB",
                       f'text-anchor="middle" transform="rotate(-90 14 {(TOP + bottom) / 2:.0f})"')]
        return parts

    def curve(self, losses_db, more):
        every = 1 + len(losses_db) // MOST_POINTS
        points = " ".join(f"{self.x(i):.1f},{self.y(loss_db):.1f}"
                          for i, loss_db in list(enumerate(losses_db))[::every])
        return f'<polyline points="{points}" fill="none" {more}/>'


def shade(frame, is_compared):
    """The part of the line where the two are compared."""
    parts, begin = [], None
    for i, inside in enumerate([*is_compared, False]):
        if inside and begin is None:
            begin = i
        elif not inside and begin is not None:
            x0, x1 = frame.x(begin), frame.x(max(i - 1, begin))
            parts.append(f'<rect x="{x0:.1f}" y="{TOP}" width="{max(x1 - x0, 1):.1f}" height="{HEIGHT - TOP - BOTTOM}" '
                         'fill="#f2f2f2"/>')
            begin = None
    return parts


def draw(path, title, rows):
    """`rows` of one line, a frequency each."""
    levels = [value for row in rows for name in ("shadow_db", "images_db") for value in row[name]]
    frame = Frame(len(rows[0]["shadow_db"]) - 1, math.floor(min(levels)) - 1, math.ceil(max(levels)) + 1)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
             'font-size="12" fill="#222">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             text(LEFT, 20, title, 'font-size="14"')]
    parts += shade(frame, rows[0]["is_compared"]) + frame.axes()
    for number, (row, colour) in enumerate(zip(rows, COLOURS)):
        parts += [frame.curve(row["images_db"], f'stroke="{colour}" stroke-width="1.3" stroke-dasharray="5 3"'),
                  frame.curve(row["shadow_db"], f'stroke="{colour}" stroke-width="1.6"'),
                  text(WIDTH - RIGHT + 12, TOP + 14 + 18 * number, f"{row['frequency_mhz']:g} MHz",
                       f'style="fill:{colour}"')]
    parts += [text(WIDTH - RIGHT + 12, TOP + 100, "solid: shadow"), text(WIDTH - RIGHT + 12, TOP + 118, "dashed: images"),
              text(WIDTH - RIGHT + 12, TOP + 136, "grey: turns of"), text(WIDTH - RIGHT + 12, TOP + 152, "0 to 30 degrees"),
              "</svg>"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")
