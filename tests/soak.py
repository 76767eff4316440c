#!/usr/bin/env python3
"""A long run: edits, builds, diffs and snapshots of a repository whose history grows, with time and memory of each step.

    python3 tests/soak.py PATH-OF-PROMPTC [--minutes N] [--svg FILE]

Each step edits the project of the copied folders prompts/, profiles/ and fixtures/, builds it, compares it with the last
commit by `diff` and `lint --base`, accepts its snapshots, checks them, and commits. The project stays as large as it is, so
neither the processor's time nor the peak memory of a command may grow with the number of commits. Exit code 1 when one of
them does: when the last fifth of the steps takes more than a quarter more than the second fifth (the first warms up), or
when a command fails. Needs git; Linux or macOS. No part of the tests that run on every change, since it measures time.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIB = 1 << 20
ALLOWED = 1.25
COLOURS = ["#1b6ca8", "#b3541e", "#3c7d3c", "#7a4b9a", "#a88a1b"]


def measured(args, cwd, codes):
    """Runs a command: seconds of the processor, and bytes of memory at most."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(args, cwd=cwd, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in codes:
            said.seek(0)
            sys.exit(f"{' '.join(map(str, args))} ended with {child.returncode}:\n{said.read(4000).decode()}")
    unit = 1 if sys.platform == "darwin" else 1024
    return used.ru_utime + used.ru_stime, used.ru_maxrss * unit


def git(folder, *args):
    subprocess.run(
        ["git", "-c", "user.name=soak", "-c", "user.email=soak@example.invalid", *args],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def edit(folder, step):
    """One paragraph of one text is replaced, another text each time."""
    texts = sorted(folder.glob("prompts/**/*.md"))
    path = texts[step % len(texts)]
    lines = [line for line in path.read_text().split("\n") if not line.startswith("Soak note ")]
    path.write_text("\n".join(lines).rstrip("\n") + f"\nSoak note {step}.\n")


def run(promptc, minutes):
    commands = {
        "build": (["build", "--all", "--output", "dist"], {0}),
        # Whatever the edit was, all that counts here is that there is an answer.
        "diff": (["diff", "HEAD", "--fail-on", "never"], {0}),
        "lint": (["lint", "--base", "HEAD", "--format", "concise"], {0, 1}),
        "accept": (["snapshot", "accept"], {0}),
        "check": (["snapshot", "check"], {0}),
    }
    steps = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "project"
        for part in ["prompts", "profiles", "fixtures", "snapshots"]:
            shutil.copytree(ROOT / part, folder / part)
        (folder / ".gitignore").write_text("dist/\n")
        git(folder, "init", "--quiet", "--initial-branch", "main")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "start")
        end = time.monotonic() + minutes * 60
        while time.monotonic() < end:
            edit(folder, len(steps))
            steps.append({name: measured([promptc, *args], folder, codes) for name, (args, codes) in commands.items()})
            git(folder, "add", "--all")
            git(folder, "commit", "--quiet", "--message", f"step {len(steps)}")
    return list(commands), steps


def growth(values):
    """The last fifth beside the second."""
    fifth = max(1, len(values) // 5)
    return statistics.median(values[-fifth:]) / statistics.median(values[fifth : 2 * fifth] or values)


def svg(names, steps):
    """Two charts, one above the other: seconds and MiB by step, a line for each command."""
    width, height, left = 900, 220, 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 160}" height="{2 * height + 120}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>']
    for row, (title, unit) in enumerate([("processor seconds of each command", 1.0), ("peak memory, MiB", MIB)]):
        top = 30 + row * (height + 60)
        most = max(step[name][row] / unit for step in steps for name in names)
        out.append(f'<text x="{left}" y="{top - 8}">{title}, by step</text>')
        for part in range(5):
            y = top + height - height * part / 4
            out.append(f'<line x1="{left}" x2="{left + width - 60}" y1="{y}" y2="{y}" stroke="#ddd"/>')
            out.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{most * part / 4:.2f}</text>')
        for n, name in enumerate(names):
            points = " ".join(
                f"{left + (width - 60) * at / max(1, len(steps) - 1):.1f},"
                f"{top + height - height * step[name][row] / unit / most:.1f}"
                for at, step in enumerate(steps)
            )
            out.append(f'<polyline fill="none" stroke="{COLOURS[n]}" points="{points}"/>')
            out.append(f'<text x="{left + width - 50}" y="{top + 16 * n + 12}" fill="{COLOURS[n]}">{name}</text>')
        out.append(f'<text x="{left + width - 60}" y="{top + height + 16}" text-anchor="end">{len(steps)}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("promptc", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--svg", type=pathlib.Path)
    args = parser.parse_args()
    names, steps = run(args.promptc.resolve(), args.minutes)
    if args.svg:
        args.svg.write_text(svg(names, steps))
    print(f"{len(steps)} steps\n{'command':9}{'seconds':>9}{'growth':>8}{'MiB':>8}{'growth':>8}")
    grown = False
    for name in names:
        seconds, memory = ([step[name][part] for step in steps] for part in (0, 1))
        rates = growth(seconds), growth(memory)
        grown |= max(rates) > ALLOWED
        middle = statistics.median
        print(f"{name:9}{middle(seconds):9.3f}{rates[0]:8.2f}{middle(memory) / MIB:8.1f}{rates[1]:8.2f}")
    sys.exit(1 if grown else 0)


if __name__ == "__main__":
    main()
