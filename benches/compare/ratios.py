"""Reads what hyperfine has written in several rounds and prints a line for each command: the time of its fastest run,
the time that it had of a processor, and how many times as long as those of the first command they are.
`python3 ratios.py FILE...`
"""

import json
import sys

fastest = {}
for path in sys.argv[1:]:
    for result in json.load(open(path, encoding="utf-8"))["results"]:
        # Other programs on the machine make the one longer, and the other hardly.
        times = (result["min"], result["user"] + result["system"])
        known = fastest.get(result["command"], times)
        fastest[result["command"]] = tuple(map(min, zip(known, times)))
first = next(iter(fastest.values()))
print(f"{'':32} {'ms':>9} {'times':>8} {'ms of processor':>17} {'times':>8}")
for command, (whole, processor) in fastest.items():
    print(f"{command:32} {whole * 1e3:9.1f} {whole / first[0]:8.1f} {processor * 1e3:17.1f} {processor / first[1]:8.1f}")
