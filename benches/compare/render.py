"""One prompt of fifty sections for promptc and its peers.

`python3 render.py write FOLDER` writes it in the form of each, `python3 render.py PEER FOLDER` is a whole process that
renders it and prints it, `python3 render.py check FOLDER` reads what each has printed into `FOLDER/printed` and says
which differ in anything but blanks.
"""

import json
import pathlib
import random
import re
import sys

SECTIONS = 50
WORDS = """agent answer argument ask branch build cache change check code command commit config context data default
describe detail diff directory document edit error example explain field file find follow format function goal handle
history ignore input issue keep layer line list log measure merge message method module name never note number only
option order output package path pattern plan policy print project prompt question range read reason record remove
report request result return review rule run safe scope search section session show source stage state step string
summary table task team template test text token tool trace type update user value version wait warn window word
`serde_json::to_writer` `x86_64-unknown-linux` naïve 缓存前缀 日志 10,000 (RFC 9457) 3.14""".split()
VALUES = {
    "product": "Quoin", "team": "Platform", "platform": "linux", "shell": "bash", "cwd": "/srv/checkouts/harvest",
    "branch": "port-to-streams", "today": "2026-08-14", "language": "English",
    "is_git": True, "is_team": True, "can_write": False, "can_search": True, "is_remote": False, "has_memory": True,
    "tools": ["read_file", "edit_file", "run_command", "search", "ask_user", "fetch"],
}
NAMES = {kind: [n for n, v in VALUES.items() if type(v) is kind] for kind in (str, bool, list)}


def sections():
    """Each a list of parts: a text, ("value", NAME), ("if", NAME, TEXT), ("each", NAME)."""
    dice = random.Random(5)

    def sentence():
        words = " ".join(dice.choice(WORDS) for _ in range(dice.randint(8, 18)))
        return words[0].upper() + words[1:] + "."

    for number in range(SECTIONS):
        parts = [f"# Section {number}\n\n"]
        for _ in range(3):
            parts += [" ".join(sentence() for _ in range(2)) + " For ", ("value", dice.choice(NAMES[str])), ": " + sentence() + "\n"]
            parts.append(("if", dice.choice(NAMES[bool]), f"- {sentence()}\n"))
        if number % 10 == 0:
            parts.append(("each", "tools"))
        yield parts


def form(parts, value, condition, each):
    kinds = {"value": value, "if": condition, "each": each}
    return "".join(p if isinstance(p, str) else kinds[p[0]].format(*p[1:]) for p in parts)


def jinja(parts):
    return form(parts, "{{{{ {} }}}}", "{{% if {} %}}{}{{% endif %}}", "{{% for name in {} %}}- {{{{ name }}}}\n{{% endfor %}}")


def handlebars(parts):
    return form(parts, "{{{{{}}}}}", "{{{{#if {}}}}}{}{{{{/if}}}}", "{{{{#each {}}}}}- {{{{this}}}}\n{{{{/each}}}}")


def write(folder):
    def file(path, text):
        path = folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    bodies = list(sections())
    types = {str: "string", bool: "bool", list: "list"}
    file("values.json", json.dumps(VALUES))
    manifest = "".join(
        f'[inputs.{name}]\ntype = "{types[type(value)]}"\nlifetime = "session"\n\n' for name, value in VALUES.items()
    )
    for number, parts in enumerate(bodies):
        manifest += f'[[section]]\nid = "s{number}"\nzone = "dynamic"\nbody = "s{number}.md"\n\n'
        file(f"promptc/prompts/s{number}.md", jinja(parts))
    file("promptc/promptc.toml", "")
    file("promptc/prompts/main.toml", manifest)
    file(
        "promptc/profiles/main.toml",
        '[target]\nprovider = "openai"\nmodel = "gpt-5"\ntokenizer = "o200k_base"\n\n[chain]\ndefault = { prompt = "main" }\n',
    )
    text = "\n\n".join(map(jinja, bodies))
    file("prompt.jinja", text)
    file("prompt.prompty", f"---\nname: main\nmodel: gpt-5\ntemplate:\n  format:\n    kind: jinja2\n  parser:\n    kind: prompty\n---\nsystem:\n{text}")
    file("prompt.prompt", f"---\nmodel: openai/gpt-5\n---\n" + "\n\n".join(map(handlebars, bodies)))
    baml = {str: "string", bool: "bool", list: "string[]"}
    arguments = ", ".join(f"{name}: {baml[type(value)]}" for name, value in VALUES.items())
    file(
        "baml/baml_src/main.baml",
        'client<llm> Main {\n  provider openai\n  options {\n    model "gpt-5"\n  }\n}\n\n'
        'generator python {\n  output_type "python/pydantic"\n  output_dir "../"\n  version "BAML_VERSION"\n}\n\n'
        f'function Answer({arguments}) -> string {{\n  client Main\n  prompt #"\n{text}\n"#\n}}\n',
    )


def jinja2(folder):
    import jinja2

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined)
    return environment.get_template("prompt.jinja").render(values(folder))


def jinja2_tiktoken(folder):
    """What `promptc build` does is more than rendering: it counts too."""
    import tiktoken

    text = jinja2(folder)
    sys.stderr.write(f"{len(tiktoken.get_encoding('o200k_base').encode_ordinary(text))} tokens\n")
    return text


def banks(folder):
    from banks import Prompt

    return Prompt((folder / "prompt.jinja").read_text(encoding="utf-8")).text(values(folder))


def prompty(folder):
    import prompty

    return prompty.prepare(prompty.load(str(folder / "prompt.prompty")), values(folder))[0].text


def values(folder):
    return json.loads((folder / "values.json").read_text(encoding="utf-8"))


def check(folder):
    renders = ("promptc", "jinja2", "jinja2 and tiktoken", "banks", "prompty", "dotprompt")
    files = [folder / "printed" / name for name in renders]
    printed = {file.name: file.read_text(encoding="utf-8").split() for file in files if file.exists()}
    told = printed.pop("promptc")
    for name, words in printed.items():
        print(f"{name}: {'the same text' if words == told else 'ANOTHER TEXT'}, {len(words)} words")
    sys.exit(any(words != told for words in printed.values()))


if __name__ == "__main__":
    what, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if what in ("write", "check"):
        {"write": write, "check": check}[what](folder)
    else:
        sys.stdout.write({"jinja2": jinja2, "jinja2+tiktoken": jinja2_tiktoken, "banks": banks, "prompty": prompty}[what](folder))
