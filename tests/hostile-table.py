#!/usr/bin/env python3
"""Runs promptc on projects that somebody wrote to do harm, and prints a table: outcome, time, peak memory.

    python3 tests/hostile-table.py [PATH-OF-PROMPTC] [--only WORD] [--seconds N] [--mib N]

Builds nothing itself: give it a release build. Each run may use N seconds of the processor (60) and N MiB of address
space (6144); what needs more, ends by a signal or says `internal error` is a failure, and the exit code is then 1. Linux
or macOS. No part of the tests that run on every change, since it measures time.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

PROFILE = """[target]
provider = "anthropic"
model = "claude-opus-5.5"
shared_scope = true

[chain]
default = { prompt = "main" }
"""
FINE = '[[section]]\nid = "s"\nzone = "static"\ntext = "fine"\n'
MIB = 1 << 20


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def main(manifest, **files):
    out = {"prompts/main.toml": manifest, "profiles/main.toml": PROFILE}
    out.update({name.replace("__", "/").replace("_DOT_", "."): text for name, text in files.items()})
    return out


def with_files(manifest, files):
    return {"prompts/main.toml": manifest, "profiles/main.toml": PROFILE, **files}


def body(text):
    return with_files('[[section]]\nid = "s"\nzone = "dynamic"\nbody = "s.md"\n', {"prompts/s.md": text})


def value(kind, name, text):
    inputs = f'[inputs]\nv = {{ type = "{kind}", lifetime = "session" }}\n'
    section = '[[section]]\nid = "s"\nzone = "dynamic"\ntext = "{{ v }}"\nallow = { raw-value-printed = "here" }\n'
    return with_files(inputs + section, {name: text})


def when(text):
    bools = '[inputs]\na = { type = "bool", lifetime = "session", default = true }\n'
    return with_files(bools + f'[[section]]\nid = "s"\nzone = "dynamic"\ntext = "x"\nwhen = {quoted(text)}\n', {"c.json": "{}"})


def pattern(regex, text, replacement="x"):
    replace = f"[[layout.replace]]\npattern = '{regex}'\nwith = {quoted(replacement)}\n"
    return with_files(replace + '[[section]]\nid = "s"\nzone = "static"\nbody = "s.md"\n', {"prompts/s.md": text})


def loop(inner, before="", rounds=100000):
    return body(f"{before}{{% for i in range({rounds}) %}}{inner}{{% endfor %}}ok")


def laughs():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "\n".join(lines) + "\n"


def fan(depth, width):
    files = {f"prompts/a{n}.md": "".join(f"{{% set x{n}_{w} = 1 %}}{{% include 'a{n + 1}.md' %}}" for w in range(width)) for n in range(depth)}
    return with_files('[[section]]\nid = "s"\nzone = "dynamic"\nbody = "a0.md"\n', {**files, f"prompts/a{depth}.md": "x"})


def fan_manifests(depth):
    files = {f"prompts/p{n}.toml": f'extends = "p{n + 1}"\n' for n in range(depth)}
    return with_files('extends = "p0"\n' + FINE, {**files, f"prompts/p{depth}.toml": ""})


CONTEXT = ["--context", "c.yaml"]
GROW = "{% set ns = namespace(x=[0]) %}{% for i in range(60) %}{% set ns.x = "

# name, files, arguments behind `build main -o -`, or a whole command as a tuple
CASES = [
    ("16 MiB of unknown keys", lambda: main("".join(f"k{n} = 1\n" for n in range(1300000))[: 15 * MIB] + "\n"), []),
    ("16 MiB of one key's name", lambda: main("k" * (15 * MIB) + " = 1\n" + FINE), []),
    ("two inputs with names of 4 MiB", lambda: main(f'[inputs]\n{"a" * 4 * MIB} = {{ type = "bool", lifetime = "session" }}\n[[section]]\nid = "s"\nzone = "dynamic"\ntext = "x"\nwhen = "{"a" * (4 * MIB - 1)}b"\n'), []),
    ("100 000 sections", lambda: main("".join(f'[[section]]\nid = "s{n}"\nzone = "static"\ntext = "x"\n' for n in range(100000))), []),
    ("100 000 sections of one id", lambda: main(FINE * 100000), []),
    ("20 000 sections behind unknown anchors", lambda: main("extends = \"p\"\n" + "".join(f'[[section]]\nid = "s{n}"\nzone = "static"\ntext = "x"\nafter = "t{n}"\n' for n in range(20000)), prompts__p_DOT_toml=FINE), []),
    ("100 000 inputs", lambda: main("[inputs]\n" + "".join(f'i{n} = {{ type = "bool", lifetime = "session" }}\n' for n in range(100000)) + FINE), []),
    ("an enum of 200 000 values", lambda: main("[inputs]\ne = { type = [" + ", ".join(f'"v{n}"' for n in range(200000)) + '], lifetime = "session" }\n' + FINE), []),
    ("an enum of one value 200 000 times", lambda: main("[inputs]\ne = { type = [" + ", ".join(['"v"'] * 200000) + '], lifetime = "session" }\n' + FINE), []),
    ("20 000 constraints", lambda: main('[inputs]\na = { type = "bool", lifetime = "session" }\nb = { type = "bool", lifetime = "session" }\n' + "".join(f"[[constraint]]\nthat = \"a implies (b or {' or '.join(['a'] * (n % 7 + 1))})\"\n" for n in range(20000)) + FINE), []),
    ("20 000 derived inputs in a chain", lambda: main('[inputs]\nd0 = { type = "bool", lifetime = "session" }\n' + "".join(f'd{n} = {{ derive = "not d{n - 1}" }}\n' for n in range(1, 20000)) + FINE), []),
    ("60 conditions over 60 bools in the static zone", lambda: main("[inputs]\n" + "".join(f'b{n} = {{ type = "bool", lifetime = "session" }}\n' for n in range(60)) + "".join(f'[[section]]\nid = "s{n}"\nzone = "static"\ntext = "x{n}"\nwhen = "b{n}"\nallow = {{ static-conditional = "here" }}\n' for n in range(60))), []),
    ("60 bools in a tangle", lambda: main("[inputs]\n" + "".join(f'b{n} = {{ type = "bool", lifetime = "session" }}\n' for n in range(60)) + "".join(f'[[section]]\nid = "s{n}"\nzone = "static"\ntext = "x{n}"\nwhen = "(b{n} and not b{(n * 7 + 3) % 60}) or (b{(n * 11 + 5) % 60} and b{(n * 13 + 1) % 60})"\nallow = {{ static-conditional = "here" }}\n' for n in range(60))), []),
    ("arrays 100 000 deep in a manifest", lambda: main("x = " + "[" * 100000 + "\n" + FINE), []),
    ("a dotted key of 200 000 parts", lambda: main("a." * 200000 + "x = 1\n" + FINE), []),
    ("a manifest that is all quotes", lambda: main('"' * 4 * MIB), []),
    ("manifests that extend one another in a circle", lambda: with_files('extends = "b"\n', {"prompts/b.toml": 'extends = "main"\n'}), []),
    ("32 manifests in a row", lambda: fan_manifests(31), []),
    ("a matrix of 10 000 cells that are too many", lambda: with_files("[inputs]\n" + "".join(f'k{n} = {{ type = ["a","b","c","d","e","f","g","h","i","j"], lifetime = "build" }}\n' for n in range(5)) + FINE, {"profiles/main.toml": PROFILE + "[matrix]\n" + "".join(f'k{n} = ["a","b","c","d","e","f","g","h","i","j"]\n' for n in range(5))}), []),
    ("a matrix key of 100 000 values", lambda: with_files('[inputs]\nk = { type = "string", lifetime = "build" }\n' + FINE, {"profiles/main.toml": PROFILE + "[matrix]\nk = [" + ", ".join(f'"v{n}"' for n in range(100000)) + "]\n"}), []),
    ("20 000 fixtures", lambda: with_files(FINE, {"profiles/main.toml": PROFILE + "".join(f'[[fixture]]\nname = "f{n}"\ncontext = "f.json"\n' for n in range(20000)), "f.json": "{}"}), []),
    ("20 000 models in promptc.toml", lambda: with_files(FINE, {"promptc.toml": "".join(f'[[model]]\nprovider = "anthropic"\nmatch = "m{n}"\nmin_tokens = 1\n' for n in range(20000))}), []),
    ("40 000 agents of one name", lambda: with_files(FINE, {"profiles/main.toml": PROFILE + 'agent = { from = "agents", name = "a" }\n', **{f"prompts/agents/{n}.md": "---\nname: a\n---\nx" for n in range(40000)}}), []),
    ("60 000 files", lambda: with_files(FINE, {f"prompts/{n}.md": "x" for n in range(60000)}), []),
    ("400 MiB of files", lambda: with_files(FINE, {f"prompts/{n}.md": "x" * 10 * MIB for n in range(40)}), []),
    ("a file of 17 MiB", lambda: with_files('[[section]]\nid = "s"\nzone = "static"\nbody = "s.md"\n', {"prompts/s.md": "x" * 17 * MIB}), []),
    ("8 MiB of one letter", lambda: body("a" * (8 * MIB - 1)), []),
    ("8 MiB of blanks", lambda: body("." + " " * (8 * MIB - 3) + "."), []),
    ("8 MiB of Chinese", lambda: body("提示词" * (8 * MIB // 9 - 1)), []),
    ("8 MiB of joiners", lambda: body("👩‍" * (8 * MIB // 8)), []),
    ("4 million empty lines", lambda: body("x" + "\n" * 4000000 + "x"), []),
    ("a condition of 10 000 names", lambda: when(" or ".join(["a"] * 10000)), ["--context", "c.json"]),
    ("a condition of 1 000 000 names", lambda: when(" or ".join(["a"] * 1000000)), ["--context", "c.json"]),
    ("a condition 100 000 deep", lambda: when("(" * 100000 + "a" + ")" * 100000), ["--context", "c.json"]),
    ("200 `iff` in a row", lambda: when(" and ".join(["(a or not a)"] * 3000)), ["--context", "c.json"]),
    ("billion laughs", lambda: value("string", "c.yaml", laughs()), CONTEXT),
    ("YAML lists 100 000 deep", lambda: value("string", "c.yaml", "v: " + "[" * 100000), CONTEXT),
    ("YAML of 1 000 000 anchors", lambda: value("string", "c.yaml", "v:\n" + "".join(f"- &a{n} x\n" for n in range(1000000))), CONTEXT),
    ("YAML of 1 000 000 unknown aliases", lambda: value("string", "c.yaml", "v:\n" + "".join(f"- *a{n}\n" for n in range(1000000))), CONTEXT),
    ("a YAML key of 15 MiB", lambda: value("string", "c.yaml", "k" * 15 * MIB + ": x\n"), CONTEXT),
    ("YAML of 15 MiB in one folded string", lambda: value("string", "c.yaml", "v: >\n" + "  word\n" * (15 * MIB // 7 - 2)), CONTEXT),
    ("YAML of 1 000 000 keys", lambda: value("string", "c.yaml", "".join(f"k{n}: 1\n" for n in range(1000000))), CONTEXT),
    ("JSON 1 000 000 deep", lambda: value("string", "c.json", '{"v": ' + "[" * 1000000), ["--context", "c.json"]),
    ("a JSON list of 5 000 000 numbers", lambda: value("list", "c.json", '{"v": [' + ",".join(["1"] * 5000000) + "]}"), ["--context", "c.json"]),
    ("a JSON string of 15 MiB of escapes", lambda: value("string", "c.json", '{"v": "' + "\\u00e9" * (15 * MIB // 6 - 10) + '"}'), ["--context", "c.json"]),
    ("1 000 000 unknown inputs in JSON", lambda: value("string", "c.json", "{" + ",".join(f'"k{n}": 1' for n in range(900000)) + "}"), ["--context", "c.json"]),
    ("a TOML context of 1 000 000 keys", lambda: value("string", "c.toml", "".join(f"k{n} = 1\n" for n in range(1000000))), ["--context", "c.toml"]),
    ("a sorted list of 1 000 000 tables", lambda: with_files('[inputs]\nv = { type = "list", lifetime = "session", sort_by = "k" }\n[[section]]\nid = "s"\nzone = "dynamic"\ntext = "{{ v | length }}"\n', {"c.json": '{"v": [' + ",".join(f'{{"k": {n * 7919 % 1000003}}}' for n in range(900000)) + "]}"}), ["--context", "c.json"]),
    ("front matter that is never closed", lambda: with_files(FINE, {"profiles/main.toml": PROFILE + 'agent = { from = "agents", name = "a" }\n', "prompts/agents/a.md": "---\n" + "k: v\n" * 2000000}), []),
    ("front matter of 1 000 000 lines", lambda: with_files(FINE, {"profiles/main.toml": PROFILE + 'agent = { from = "agents", name = "a" }\n', "prompts/agents/a.md": "---\n" + "".join(f"k{n}: v\n" for n in range(1000000)) + "---\nx"}), []),
    ("a pattern that goes back for ever", lambda: pattern(r"^((?=a)a|aa)+b(?=x)", "a" * 60), []),
    ("a pattern of nested repetitions", lambda: pattern(r"(?=.)(\w+\s?)*x\1", "a" * 60 + "!"), []),
    ("a pattern that compiles to very much", lambda: pattern(r"(((a{100}){100}){100}){100}", "a"), []),
    ("a pattern of 10 000 groups in one another", lambda: pattern("(" * 10000 + "a" + ")" * 10000, "a"), []),
    ("a replacement that grows without end", lambda: pattern("a", "a" * 1000000, "b" * 10000), []),
    ("a pattern at every letter of 8 MiB", lambda: pattern("(?=a)a(?=a|$)", "a" * (8 * MIB - 1), "b"), []),
    ("200 replacements in a row", lambda: with_files("".join(f"[[layout.replace]]\npattern = 'a(?=b*c)'\nwith = \"a\"\n" for n in range(200)) + '[[section]]\nid = "s"\nzone = "static"\nbody = "s.md"\n', {"prompts/s.md": "ab" * 50000}), []),
    ("includes that multiply", lambda: fan(30, 2), []),
    ("a file that includes itself", lambda: body("{% include 's.md' %}"), []),
    ("an include that computes for long", lambda: body("{% include 'a.md' if ([[0] * 100000000] * 100000000) ~ '' == '' else 'b.md' %}"), []),
    ("an include chosen by 16 bools, 100 times", lambda: with_files("[inputs]\n" + "".join(f'b{n} = {{ type = "bool", lifetime = "session" }}\n' for n in range(16)) + '[[section]]\nid = "s"\nzone = "dynamic"\nbody = "s.md"\n', {"prompts/s.md": ("{% include 'x' ~ " + " ~ ".join(f"b{n}" for n in range(16)) + " ~ '.md' ignore missing %}") * 100}), []),
    ("1 000 000 undefined names", lambda: body("".join(f"{{{{ n{n} }}}}" for n in range(1000000))), []),
    ("an expression of 9 000 parts", lambda: body("{{ 1" + " + 1" * 4900 + " }}"), []),
    ("brackets 100 000 deep in a template", lambda: body("{{ " + "(" * 100000 + "1" + ")" * 100000 + " }}"), []),
    ("ifs 100 000 deep", lambda: body("{% if 1 %}" * 100000 + "{% endif %}" * 100000), []),
    ("a loop without end", lambda: body("{% for i in range(10000) %}{% for j in range(10000) %}{% endfor %}{% endfor %}"), []),
    ("a macro that calls itself", lambda: body("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), []),
    ("a string doubled 100 times", lambda: body("{% set ns = namespace(x='a') %}{% for i in range(100) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}"), []),
    ("a list doubled by `+`", lambda: body(GROW + "ns.x + ns.x %}{% endfor %}{{ ns.x | length }}"), []),
    ("a list doubled by `chain`", lambda: body(GROW + "ns.x | chain(ns.x) %}{% endfor %}{{ ns.x | length }}"), []),
    ("a list that holds itself twice, 60 times", lambda: body(GROW + "[ns.x, ns.x] %}{% endfor %}{{ ns.x == ns.x | list }}"), []),
    ("10^16 numbers joined by `~`", lambda: body("{{ ([[0] * 100000000] * 100000000) ~ '' }}"), []),
    ("10^16 numbers compared", lambda: body("{% set x = [[0] * 100000000] * 100000000 %}{{ x == x * 1 }}"), []),
    ("10^16 numbers sorted", lambda: body("{{ ([[0] * 100000000] * 100000000) | sort | length }}"), []),
    ("10^8 arguments", lambda: body("{{ '%s' | format(*(['x' * 100000] * 100000000)) }}"), []),
    ("slices of slices of slices", lambda: loop("{% set ns.x = ns.x[0:] %}", "{% set ns = namespace(x=[0]) %}")),
    ("a list in a list, 100 000 deep", lambda: body("{% set ns = namespace(x=[0]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}"), []),
    ("a namespace that holds itself", lambda: body("{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}"), []),
    ("8 MiB compared 100 000 times", lambda: loop("{% if x == y %}{% endif %}", "{% set x = 'a' * 8000000 %}{% set y = x ~ 'b' %}")),
    ("the last letter of 8 MiB, 100 000 times", lambda: loop("{% set y = x[3999999] %}", "{% set x = 'é' * 4000000 %}")),
    ("a number of a billion digits", lambda: body("{{ '%.1000000000f' | format(1.0) }}{{ '%1000000000d' | format(1) }}"), []),
    ("an indent of a billion", lambda: body("{{ 'a\nb' | indent(1000000000) }}"), []),
    ("8 MiB of braces in `fill`", lambda: body("{% set x = '{{a}}' * 1000000 %}{{ x | fill({'a': 'b' * 1000000}) }}"), []),
    ("tags in `xml`, 100 000 of them", lambda: body("{{ ('</t' * 100000) | xml('t') | length }}"), []),
    ("lint of 100 000 sections", lambda: main("".join(f'[[section]]\nid = "s{n}"\nzone = "static"\ntext = "x {n}"\n' for n in range(100000))), ("lint",)),
    ("lint of 8 MiB of blanks at line ends", lambda: body("x \n" * (8 * MIB // 3)), ("lint",)),
    ("lint of 8 MiB of one paragraph", lambda: body("do not do this. " * (8 * MIB // 16 - 1)), ("lint",)),
    ("lint of 5 000 sections of the same text", lambda: main("".join(f'[[section]]\nid = "s{n}"\nzone = "static"\ntext = "{"the same words again. " * 20}"\n' for n in range(5000))), ("lint",)),
    ("schema of an input of 200 000 values", lambda: main("[inputs]\ne = { type = [" + ", ".join(f'"v{n}"' for n in range(200000)) + '], lifetime = "session" }\n[[section]]\nid = "s"\nzone = "dynamic"\ntext = "{{ e }}"\n'), ("schema", "context", "main")),
    ("a name of letters that turn the line round", lambda: main(f'"\u202e\u2066x" = 1\n' + FINE), []),
    ("an escape sequence in every place", lambda: main('"\\u001b[31m" = 1\n[[section]]\nid = "\\u001b[2J"\nzone = "\\u001b]0;x\\u0007"\ntext = "x"\n'), []),
    ("a NUL in a name of a file", lambda: main('[[section]]\nid = "s"\nzone = "static"\nbody = "a\\u0000.md"\n'), []),
]


def write(folder, files):
    for path, text in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)


def run(program, folder, args, seconds, mib):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (mib * MIB, mib * MIB))

    with open(os.path.join(folder, ".out"), "wb") as out, open(os.path.join(folder, ".err"), "wb") as err:
        child = subprocess.Popen([program, *args], cwd=folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL, preexec_fn=limit)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    with open(os.path.join(folder, ".err"), encoding="utf-8", errors="replace") as file:
        told = file.read(100000)
    with open(os.path.join(folder, ".out"), encoding="utf-8", errors="replace") as file:
        told = told or file.read(100000)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return child.returncode, told, used.ru_utime + used.ru_stime, peak


def outcome(code, told):
    first = next((line for line in told.splitlines() if line), "")
    rule = first.split("[")[1].split("]")[0] if first.startswith(("error[", "warning[")) and "]" in first else ""
    if code == 0:
        return f"0 {rule}".strip()
    return f"{code} {rule or first[:60]}".replace("|", "/")


def start():
    args = sys.argv[1:]
    options = {"--only": "", "--seconds": "60", "--mib": "6144"}
    while len(args) > 1 and args[-2] in options:
        options[args[-2]] = args[-1]
        args = args[:-2]
    program = os.path.abspath(args[0] if args else "target/release/promptc")
    print("| input | outcome | seconds | MiB |\n| --- | --- | --- | --- |", flush=True)
    rows, bad = [], []
    for case in CASES:
        name, files, args = (*case, [])[:3]
        if options["--only"] not in name:
            continue
        folder = tempfile.mkdtemp()
        try:
            write(folder, files())
            command = list(args) if isinstance(args, tuple) else ["build", "main", "-o", "-", *args]
            code, told, seconds, peak = run(program, folder, command, int(options["--seconds"]), int(options["--mib"]))
        finally:
            shutil.rmtree(folder)
        if code not in (0, 1, 2) or "internal error" in told or "\x1b" in told:
            bad.append(name)
        rows.append((name, seconds, peak))
        print(f"| {name} | {outcome(code, told)} | {seconds:.2f} | {peak / MIB:.0f} |", flush=True)
    slowest, largest = max(rows, key=lambda row: row[1]), max(rows, key=lambda row: row[2])
    print(f"\n{len(rows)} inputs. Worst time: {slowest[1]:.2f} s ({slowest[0]}). Worst memory: {largest[2] / MIB:.0f} MiB ({largest[0]}).")
    for name in bad:
        print(f"failure: {name}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(start())
