"""Writes what was measured: a report, tables of values, and the tables of the page."""
import csv
import math
import os

import lines_picture

PAGE_FREQUENCY_MHZ = 2100.0
# The tables of the page that a part makes.
TABLES_OF = {"measured": ["measured", "differences"], "medians": ["inside", "medians", "slopes", "seen"], "laws": ["laws"],
             "lines": ["lines"], "intervals": []}
# Lines that are drawn, and their titles.
PICTURES = {"house": "Away from a house of 10 m, mast of 20 m 300 m before it",
            "house-across": "Across the shadow of the house, 50 m behind it",
            "corner": "Behind a block's corner that the wave strikes at 45 degrees",
            "hill": "Behind a hill of 20 m, mast of 40 m 400 m before it"}


def number(value, digits=1):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0.0 else text


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def ring_name(low_m, high_m):
    return f"{low_m:g} to {high_m:g} m"


def unique(values):
    return list(dict.fromkeys(values))


def place_of(key):
    """Where a row stands in a table: first methods that see the map, then what was fitted on others, then formulas."""
    method, calibration = key
    order = {"shadow": 0, "tiles": 1, "beams": 2, "terrain": 3, "images": 4}.get(method.split("-")[0], {"others": 5, "none": 6}.get(calibration, 7))
    return order, calibration != "none"


def measured_tables(rows):
    """One table for each set and transmitter; the three classes side by side."""
    parts = []
    for key in unique((row["set"], row["transmitter"]) for row in rows):
        own = key[1] == "all"
        chosen = [row for row in rows if (row["set"], row["transmitter"]) == key]
        body = []
        for method, calibration in sorted(unique((row["method"], row["calibration"]) for row in chosen), key=place_of):
            of = {row["class"]: row for row in chosen if (row["method"], row["calibration"]) == (method, calibration)}
            cells = [method if calibration == "none" else f"{method}, fitted on {calibration}"]
            for name in ("all", "in sight", "hidden"):
                row = of.get(name)
                figures = ("mean", "sd", "rmse")
                if own:
                    figures = ("sd", "sd_each") if name == "all" else ("mean", "sd")
                cells += [row["n"] if row else ""] + [number(row[f]) if row else "" for f in figures]
            body.append(cells)
        if own:
            head = ["method", "all: n", "sd", "sd of each", "in sight: n", "mean", "sd", "hidden: n", "mean", "sd"]
            text = ("Measured less predicted in dB, less the mean of each transmitter; *sd of each*: averaged over "
                    "transmitters.")
        else:
            head = ["method"] + [h for c in ("all", "in sight", "hidden") for h in (f"{c}: n", "mean", "sd", "rmse")]
            text = "Measured less predicted in dB."
        parts.append(f"### {key[0]}, {'all transmitters' if own else key[1]}\n\n{text}\n\n" + table(head, body))
    return "\n\n".join(parts)


def differences_table(rows):
    """Methods beside `shadow`: how sure a difference is, and what neither explains."""
    body = [[row["set"] if row["transmitter"] == "all" else f"{row['set']}, {row['transmitter']}", f"`{row['method']}`",
             number(row["sd"], 2), number(row["other_sd"], 2),
             f"{number(row['low_db'], 2)} to {number(row['high_db'], 2)}", row["groups"], number(row["correlation"], 2),
             number(row["both_sd"], 2), f"{number(row['near_sd'])} ({row['pairs']} pairs)" if row["near_sd"] else ""]
            for row in rows]
    return table(["set", "method", "its sd", "sd of `shadow`", "difference, 95 %", "drawn from", "correlation of errors",
                  "sd of the mean of both", "sd within 10 m"], body)


def inside_table(rows):
    """How many medians lie within the models, for each city and mast."""
    masts = unique(row["mast_m"] for row in rows)
    body = []
    for city, method in unique((row["city"], row["method"]) for row in rows):
        cells = [city, f"`{method}`"]
        for mast_m in masts:
            of = [row for row in rows if (row["city"], row["method"], row["mast_m"]) == (city, method, mast_m)]
            cells.append(f"{sum(row['is_inside'] for row in of)} of {len(of)}" if of else "")
        of = [row for row in rows if (row["city"], row["method"]) == (city, method)]
        cells.append(f"{sum(row['is_inside'] for row in of)} of {len(of)}")
        distances = [outside_db(row) for row in of]
        cells += [number(-min(0.0, *distances)), number(max(0.0, *distances))]
        body.append(cells)
    return table(["city", "method", *[f"{mast_m:g} m" for mast_m in masts], "all masts", "farthest below",
                  "farthest above"], body)


def outside_db(row):
    """How far a median lies above the highest model, or below the lowest as a negative number; else 0."""
    return max(row["median_db"] - row["highest_db"], 0.0) + min(row["median_db"] - row["lowest_db"], 0.0)


def median_text(row):
    bold = "" if row["is_inside"] else "**"
    return f"{bold}{row['median_db']:.0f}{bold} ({row['lowest_db']:.0f} to {row['highest_db']:.0f})"


def median_table(rows, city, frequency_mhz):
    """Prediction and models of a city and a frequency: masts down, rings across."""
    chosen = [row for row in rows if row["city"] == city and row["frequency_mhz"] == frequency_mhz]
    rings = sorted(set((row["ring_low_m"], row["ring_high_m"]) for row in chosen))
    body = []
    keys = unique((row["method"], row["mast_m"]) for row in chosen)
    for method, mast_m in sorted(keys, key=lambda key: (key[0] != "shadow", key)):
        cells = [f"`{method}`", f"{mast_m:g} m"]
        for ring in rings:
            of = [row for row in chosen
                  if (row["method"], row["mast_m"], row["ring_low_m"]) == (method, mast_m, ring[0])]
            cells.append(median_text(of[0]) if of else "")
        body.append(cells)
    return table(["method", "mast", *[ring_name(*ring) for ring in rings]], body)


def slope_table(slopes):
    masts = unique(mast_m for _, _, mast_m in slopes)
    body = []
    for city, method in unique((city, method) for city, method, _ in slopes):
        cells = [city, f"`{method}`"]
        for mast_m in masts:
            of = slopes.get((city, method, mast_m))
            cells.append(f"{sum(of) / len(of):.1f} ({min(of):.1f} to {max(of):.1f})" if of else "")
        body.append(cells)
    return table(["city", "method", *[f"{mast_m:g} m" for mast_m in masts]], body)


def laws_tables(result):
    parts = []
    if result["edges"]:
        parts.append("Loss of a hidden cell less that of its visible neighbour, cells of 5 m, `shadow`:\n\n" + table(
            ["place", "pairs", "median dB", "10 %", "90 %"],
            [[r["place"], r["count"], number(r["median_db"]), number(r["low_db"]), number(r["high_db"])]
             for r in result["edges"]]))
    for demo in result["demo"]:
        parts.append(f"The largest loss in the demo's map, {demo['frequency_mhz']:g} MHz: "
                     f"**{demo['largest_db']:.1f} dB** (median {demo['median_db']:.1f} dB).")
    if result["exchange"]:
        parts.append("Both ends of random links exchanged, `shadow`:\n\n" + table(
            ["city", "links", "largest difference dB", "above 0.1 dB", "median dB"],
            [[r["city"], r["links"], number(r["largest_db"], 2), r["above_count"], number(r["median_db"], 3)]
             for r in result["exchange"]]))
    if result["raise"]:
        text = "A mast raised, `shadow`: places that get darker by more than 3 dB, and the median change:\n\n"
        parts.append(text + table(
            ["city", "MHz", "mast", "raised by", "darker", "median dB"],
            [[r["city"], f"{r['frequency_mhz']:g}", f"{r['mast_m']:g} m", f"{r['by_m']:g} m",
              f"{100 * r['darker_share']:.1f} %", number(r["median_change_db"])] for r in result["raise"]]))
    return "\n\n".join(parts)


def lines_table(rows):
    """Steps, and what `shadow` loses more than `images`, with its mean of the surroundings and without it."""
    def span(row, prefix=""):
        least, median, most = (number(row[prefix + name]) for name in ("least_db", "median_db", "most_db"))
        return f"{least} to {most} ({median})"
    return table(["line", "MHz", "largest step: `shadow`", "`images`", "compared", "`shadow` less `images`", "its paths alone"],
                 [[row["line"], f"{row['frequency_mhz']:g}", number(row["shadow_step_db"]),
                   number(row["images_step_db"]), row["compared"], span(row), span(row, "paths_")] for row in rows])


def draw_lines(folder, rows):
    for name in unique(row["line"] for row in rows):
        if name in PICTURES:
            lines_picture.draw(os.path.join(folder, f"line_{name.replace('-', '_')}.svg"), PICTURES[name],
                               [row for row in rows if row["line"] == name])


def share_text(rows):
    inside = sum(row["is_inside"] for row in rows)
    return f"{inside} of {len(rows)}, {100 * inside / len(rows):.0f} %" if rows else "none"


def intervals_table(rows):
    """How often the intervals of one half hold the coefficients of the other."""
    body = []
    for name, seed in unique((row["set"], row["seed"]) for row in rows):
        of = [row for row in rows if (row["set"], row["seed"]) == (name, seed)]
        splits = len(unique(row["split"] for row in of))
        body.append([name, seed, splits, share_text(of), share_text([row for row in of if row["is_known"]])])
    each = [[name, share_text([row for row in rows if row["coefficient"] == name])]
            for name in unique(row["coefficient"] for row in rows)]
    return (table(["set", "seed", "splits", "held, all", "held, of those known"], body) + "\n\n" +
            table(["coefficient", "held"], each))


def skipped_text(result):
    return "".join(f"- skipped: {text}\n" for text in result["skipped"])


def page_tables(result):
    """What the page holds, by the names of its marks."""
    rows = result["medians"]
    cities = unique(row["city"] for row in rows)
    frequencies_mhz = unique(row["frequency_mhz"] for row in rows)
    shown = PAGE_FREQUENCY_MHZ if PAGE_FREQUENCY_MHZ in frequencies_mhz else (frequencies_mhz or [0.0])[0]
    return {"measured": measured_tables(result["measured"]) if result["measured"] else "Nothing was scored.",
            "differences": differences_table(result["differences"]),
            "inside": inside_table(rows),
            "seen": inside_table(result["seen"]),
            "medians": "\n\n".join(f"**{city}**, {shown:g} MHz\n\n{median_table(rows, city, shown)}"
                                   for city in cities),
            "slopes": slope_table(result["slopes"]),
            "laws": laws_tables(result),
            "lines": lines_table(result["lines"])}


def write_report(path, result):
    page = page_tables(result)
    rows = result["medians"]
    text = [f"# Accuracy, radiocity {result['version']}\n", skipped_text(result), "## Measured sets\n",
            page["measured"], "", "### Beside shadow\n", page["differences"], "", "## Medians without line of sight\n", page["inside"], "",
            "Median (lowest to highest model), bold where it lies more than 3 dB outside:\n"]
    for city in unique(row["city"] for row in rows):
        for frequency_mhz in unique(row["frequency_mhz"] for row in rows):
            text += [f"### {city}, {frequency_mhz:g} MHz\n", median_table(rows, city, frequency_mhz), ""]
    text += ["## dB a decade of frequency\n", page["slopes"], "", "## Medians in sight\n", page["seen"], "",
             "## Laws\n", page["laws"], "", "## Lines\n", page["lines"], ""]
    if result["intervals"]:
        text += ["## Intervals of one half for the other\n", intervals_table(result["intervals"]), ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(text))


def write_csv(path, rows, columns):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(columns)
        for row in rows:
            out.writerow([f"{row[c]:.3f}" if isinstance(row[c], float) else row[c] for c in columns])


def write_all(folder, result):
    os.makedirs(folder, exist_ok=True)
    write_report(os.path.join(folder, "report.md"), result)
    write_csv(os.path.join(folder, "measured.csv"), result["measured"],
              ["set", "transmitter", "method", "calibration", "class", "n", "mean", "sd", "rmse", "sd_each"])
    write_csv(os.path.join(folder, "intervals.csv"), result["intervals"],
              ["set", "seed", "split", "half", "coefficient", "value", "low", "high", "other", "is_known", "is_inside"])
    write_csv(os.path.join(folder, "differences.csv"), result["differences"],
              ["set", "transmitter", "method", "sd", "other_sd", "low_db", "high_db", "groups", "correlation", "both_sd",
               "near_sd", "pairs"])
    models = sorted({name for row in result["medians"] for name in row["models_db"]})
    for name, rows in (("medians.csv", result["medians"]), ("seen.csv", result["seen"])):
        flat = [{**row, **{model: row["models_db"].get(model, "") for model in models}} for row in rows]
        write_csv(os.path.join(folder, name), flat,
                  ["city", "method", "mast_m", "frequency_mhz", "ring_low_m", "ring_high_m", "count", "median_db",
                   "lowest_db", "lowest_model", "highest_db", "highest_model", "is_inside", *models])
    laws = [(f"edge {r['place']}", r["median_db"], "dB, median step at the edge of sight") for r in result["edges"]]
    laws += [("demo largest loss", demo["largest_db"], "dB") for demo in result["demo"]]
    for r in result["exchange"]:
        laws += [(f"exchange {r['city']} largest", r["largest_db"], "dB"),
                 (f"exchange {r['city']} above 0.1 dB", float(r["above_count"]), "links")]
    laws += [(f"raise {r['city']} by {r['by_m']:g} m", 100 * r["darker_share"], "% darker by 3 dB")
             for r in result["raise"]]
    draw_lines(folder, result["lines"])
    write_csv(os.path.join(folder, "lines.csv"), result["lines"],
              ["line", "frequency_mhz", "compared", "shadow_step_db", "images_step_db", "least_db", "median_db",
               "most_db", "paths_least_db", "paths_median_db", "paths_most_db"])
    write_csv(os.path.join(folder, "laws.csv"), [dict(zip(("law", "value", "unit"), law)) for law in laws],
              ["law", "value", "unit"])


def update_page(docs, result, parts):
    """Replace what stands between '<!-- accuracy NAME -->' and '<!-- end -->' for the tables of some parts."""
    path = os.path.join(docs, "accuracy.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = page_tables(result)
    for name in (name for part in parts for name in TABLES_OF[part]):
        begin, end = f"<!-- accuracy {name} -->", "<!-- end -->"
        start = text.index(begin) + len(begin)
        text = text[:start] + "\n\n" + page[name] + "\n\n" + text[text.index(end, start):]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if "lines" in parts:
        draw_lines(os.path.join(docs, "images"), result["lines"])
