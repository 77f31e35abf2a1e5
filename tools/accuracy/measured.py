"""Scores every method on the measured sets, as it comes and calibrated on transmitters that are left out."""
import csv
import math
import os
import re

CLASSES = (("all", lambda row: True), ("in sight", lambda row: row["in_sight"] == "1"),
           ("hidden", lambda row: row["in_sight"] == "0"))
# One method under two names: P.1411 has another row of coefficients for transmitters above the roofs.
METHOD_WORDS = {"p1411-above": ["--method", "p1411", "--environment", "above-roofs", "--extrapolate"]}
SHADOW = {"name": "shadow", "words": []}
# Names of columns that are not those of methods.
NAMES = {"cost-231-hata": "cost231-hata", "free-space-offset": "free-space + offset"}
LEVELS = re.compile(r"^(.*?)(?:_fitted_on_(.*))?_db$")


def statistics(errors):
    count = len(errors)
    mean = sum(errors) / count
    deviation = math.sqrt(sum((e - mean) ** 2 for e in errors) / (count - 1)) if count > 1 else math.nan
    return {"n": count, "mean": mean, "sd": deviation, "rmse": math.sqrt(sum(e * e for e in errors) / count)}


def join_files(program, name, paths):
    """One CSV of several with the same header."""
    joined = os.path.join(program.folder, name + ".csv")
    with open(joined, "w", encoding="utf-8") as out:
        for i, path in enumerate(paths):
            with open(path, encoding="utf-8-sig") as file:
                lines = file.read().splitlines(keepends=True)
            out.writelines(lines if i == 0 else lines[1:])
    return joined


def words_for(program, case, transmitters, name):
    """The words that name the measurements of some transmitters: their own, or a file of all of them."""
    if transmitters[0]["words"][0].startswith("--"):
        if len(transmitters) > 1:
            raise SystemExit(f"{case['name']}: transmitters with words of their own are calibrated on one at a time")
        return [*transmitters[0]["words"], "--tx-name", transmitters[0]["name"]] if has_place(transmitters[0]) \
            else transmitters[0]["words"]
    return ["--measurements", join_files(program, f"{case['name']}-{name}", [t["words"][0] for t in transmitters])]


def has_place(transmitter):
    return "--tx-lonlat" in transmitter["words"] or "--tx" in transmitter["words"]


def score(program, scene, case, words, method_words, name):
    """The compared points of a score."""
    path = os.path.join(program.folder, f"{case['name']}-{name}-points.csv")
    program.run("score", "--scene", scene, *case["words"], *words, *method_words, "--quiet", "--json", "-o", path)
    with open(path, encoding="utf-8", newline="") as file:
        return [rename_fitted(row) for row in csv.DictReader(file) if not row["left_out"]]


def rename_fitted(row):
    """Columns fitted elsewhere name the routes of that place; here they are fitted on others."""
    return {re.sub(r"_fitted_on_(?!these_points_db$).*_db$", "_fitted_on_others_db", name): value
            for name, value in row.items()}


def errors_by_model(points):
    """(model, what it was fitted on) -> column of predicted losses."""
    models = {}
    for column in points[0]:
        match = LEVELS.match(column)
        if match and column not in ("measured_db", "error_db"):
            models[(match.group(1), match.group(2))] = column
    return models


def error(row, column):
    return float(row["measured_db"]) - float(row[column])


def transmitter_of(row):
    return row["transmitter"]


def rows_of(case, points, column, labels):
    """Rows for each class; with own offsets the mean of each transmitter is taken off first."""
    errors = [error(row, column) for row in points]
    by_transmitter = {}
    for row, e in zip(points, errors):
        by_transmitter.setdefault(transmitter_of(row), []).append(e)
    if case["own_offset"]:
        mean = {name: sum(values) / len(values) for name, values in by_transmitter.items()}
        errors = [e - mean[transmitter_of(row)] for row, e in zip(points, errors)]
    for name, is_in in CLASSES:
        chosen = [(transmitter_of(row), e) for row, e in zip(points, errors) if is_in(row)]
        if not chosen:
            continue
        figures = statistics([e for _, e in chosen])
        figures["sd_each"] = average_deviation(chosen)
        yield {**labels, "class": name, **figures}


def average_deviation(chosen):
    """The standard deviation of each transmitter, averaged over those with at least ten points."""
    groups = {}
    for name, e in chosen:
        groups.setdefault(name, []).append(e)
    deviations = [statistics(values)["sd"] for values in groups.values() if len(values) >= 10]
    return sum(deviations) / len(deviations) if deviations else math.nan


def baseline_rows(case, points, method, labels, calibrated):
    """Rows of the models that a score has beside the method."""
    for (model, fitted), column in errors_by_model(points).items():
        if model == method.replace("-", "_"):
            continue
        if calibrated and fitted in (None, "these_points"):
            continue
        calibration = "none" if fitted is None else fitted.replace("_", " ")
        name = model.replace("_", "-")
        yield from rows_of(case, points, column,
                           {**labels, "method": NAMES.get(name, name), "calibration": calibration})


def thin(program, case, points, every, name):
    """Every so many averaged points as a measurement file of its own; `site` names transmitters of a file of sites."""
    path = os.path.join(program.folder, f"{case['name']}-{name}-thin.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow([*(["site"] if "--sites" in case["words"] else []), "x", "y", "height_m", "loss_db"])
        out.writerows([*([row["transmitter"]] if "--sites" in case["words"] else []), row["x"], row["y"],
                       row["height_m"], row["measured_db"]] for row in points[::every])
    return path


def uncalibrated_images(program, scene, case, name, transmitters):
    """images at some of the averaged points, which are losses: it takes tens of milliseconds to seconds for each."""
    points = score(program, scene, case, words_for(program, case, transmitters, f"{name}-thin"),
                   ["--method", "free-space"], f"{name}-thin")
    words = ["--measurements", thin(program, case, points, case["images"], name), "--average-wavelengths", 0]
    if "--sites" in case["words"]:
        place = case["words"].index("--sites")
        accepts = [word for word in case["words"] if word == "--accept-unusual"]
        case = {**case, "words": [*case["words"][place:place + 2], *accepts]}
    else:
        place = transmitters[0]["words"].index("--tx-lonlat")
        words += transmitters[0]["words"][place:place + 2]
    found = score(program, scene, case, words, ["--method", "images"], name + "-images")
    labels = {"set": case["name"], "transmitter": name, "method": "images", "calibration": "none"}
    return list(rows_of(case, found, "images_db", labels))


def calibrate(program, scene, case, others, name, method_words=()):
    path = os.path.join(program.folder, f"{case['name']}-{name}.json")
    words = words_for(program, case, others, "fit-" + name)
    offset = ["--fit-offset"] if case["own_offset"] else []
    program.run("calibrate", "--scene", scene, *case["words"], *words, *offset, *method_words, "--quiet", "-o", path)
    return path


def units_of(case):
    """What is scored at a time: one transmitter, or all that have a constant of their own together."""
    if case["own_offset"]:
        return [("all", case["transmitters"])]
    return [(transmitter["name"], [transmitter]) for transmitter in case["transmitters"]]


def uncalibrated(program, scene, case, scored, name, transmitters):
    labels = {"set": case["name"], "transmitter": name}
    words = words_for(program, case, transmitters, name)
    rows, first = [], None
    for method in scored:
        points = score(program, scene, case, words, METHOD_WORDS.get(method, ["--method", method, "--extrapolate"]),
                       f"{name}-{method}")
        column = errors_by_model(points)[(method.removesuffix("-above").replace("-", "_"), None)]
        rows += rows_of(case, points, column, {**labels, "method": method, "calibration": "none"})
        if first is None:
            first = points
            rows += baseline_rows(case, points, method, labels, False)
    return rows


def uncalibrated_also(program, scene, case, method, name, transmitters):
    """A method that only some sets have, with its words there."""
    labels = {"set": case["name"], "transmitter": name, "method": method["name"], "calibration": "none"}
    points = score(program, scene, case, words_for(program, case, transmitters, f"{name}-{method['name']}"),
                   method_words(method), f"{name}-{method['name']}")
    return list(rows_of(case, points, errors_by_model(points)[(method["name"], None)], labels))


def formula(program, scene, case, asked, name, transmitters):
    """A method with options of its own under a label of its own, which has nothing to calibrate."""
    labels = {"set": case["name"], "transmitter": name, "method": asked["label"], "calibration": "none"}
    of = f"{name}-{asked['label']}"
    points = score(program, scene, case, words_for(program, case, transmitters, of),
                   [*method_words(asked), "--extrapolate"], of)
    return list(rows_of(case, points, errors_by_model(points)[(asked["name"], None)], labels))


def method_words(method):
    return ["--method", method["name"], *method["words"]]


def calibrated(program, scene, case, method, name, transmitters):
    """A method calibrated on the other groups, and with the first one the baselines fitted there."""
    of = f"{name}-{method['name']}"

    def score_group(group):
        others = [t for t in case["transmitters"] if t["group"] != group]
        here = [t for t in transmitters if t["group"] == group]
        path = calibrate(program, scene, case, others, f"{of}-without-{group}", method_words(method))
        return score(program, scene, case, words_for(program, case, here, f"{of}-{group}"), ["--coefficients", path],
                     f"{of}-{group}-calibrated")

    if len({t["group"] for t in case["transmitters"]}) < 2:
        return []
    groups = sorted({transmitter["group"] for transmitter in transmitters})
    points = [point for part in program.each(score_group, groups) for point in part]
    labels = {"set": case["name"], "transmitter": name}
    rows = list(rows_of(case, points, errors_by_model(points)[(method["name"], "others")],
                        {**labels, "method": method["name"], "calibration": "others"}))
    return rows + (list(baseline_rows(case, points, "shadow", labels, True)) if method == SHADOW else [])


def measure(program, cases, scenes):
    """Rows of (set, transmitter, method, calibration, class)."""
    tasks = []  # those that take long are begun first
    for case in cases.sets:
        scene = scenes.get(case["name"])
        if scene is None:
            continue
        for name, transmitters in units_of(case):
            if case["images"] > 0:
                tasks.append((uncalibrated_images, (program, scene, case, name, transmitters)))
            tasks.append((uncalibrated, (program, scene, case, cases.scored, name, transmitters)))
            tasks.append((calibrated, (program, scene, case, SHADOW, name, transmitters)))
            for asked in case["formulas"]:
                tasks.append((formula, (program, scene, case, asked, name, transmitters)))
            for method in case["also"]:
                tasks.append((uncalibrated_also, (program, scene, case, method, name, transmitters)))
                tasks.append((calibrated, (program, scene, case, method, name, transmitters)))
    order = sorted(range(len(tasks)), key=lambda i: not takes_long(tasks[i]))
    found = dict(zip(order, program.each(lambda i: tasks[i][0](*tasks[i][1]), order)))
    return [row for i in range(len(tasks)) for row in found[i]]


def takes_long(task):
    return task[0] is uncalibrated_images or any(argument in task[1][2]["also"] for argument in task[1] if isinstance(argument, dict))
