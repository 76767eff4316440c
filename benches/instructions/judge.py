"""Compares what was measured with the budget, prints a table, and ends with 1 past it. With `--update` writes the budget."""

import json
import sys

ROOM = 1.05


def main(budget_path, measured_path, *flags):
    with open(measured_path) as file:
        measured = {name: int(count) for name, count in (line.rstrip("\n").split("\t") for line in file)}
    values = dict(measured)
    for name, count in measured.items():
        floor = measured.get(name.replace("build ", "floor "))
        if name.startswith("build ") and floor:
            values[f"{name}, times the floor"] = round(count / floor, 3)
    # The floor program is a measure and not a promise.
    values = {name: value for name, value in values.items() if not name.startswith("floor ")}
    if "--update" in flags:
        room = {name: round(value * ROOM, 2 if isinstance(value, float) else None) for name, value in values.items()}
        with open(budget_path, "w") as file:
            json.dump(room, file, indent=2)
            file.write("\n")
    with open(budget_path) as file:
        budget = json.load(file)
    past = []
    print(f"{'':34}{'measured':>14}{'at most':>14}")
    for name, value in values.items():
        if name not in budget:
            sys.exit(f"error: no budget for {name}: --update")
        print(f"{name:34}{value:>14,}{budget[name]:>14,}")
        if value > budget[name]:
            past.append(name)
    for name in measured:
        if name.startswith("floor "):
            print(f"{name:34}{measured[name]:>14,}")
    if past:
        sys.exit(f"error: past the budget: {'; '.join(past)}")


main(*sys.argv[1:])
