"""Reads what hyperfine has written in several rounds and prints a line for each command: its fastest run, and how many
times as long as that of the first command. `python3 ratios.py FILE...`
"""

import json
import sys

fastest = {}
for path in sys.argv[1:]:
    for result in json.load(open(path, encoding="utf-8"))["results"]:
        fastest[result["command"]] = min(fastest.get(result["command"], float("inf")), result["min"])
first = next(iter(fastest.values()))
for command, seconds in fastest.items():
    print(f"{command:32} {seconds * 1e3:9.1f} ms {seconds / first:8.1f}")
