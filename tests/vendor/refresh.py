#!/usr/bin/env python3
"""Make the closed JSON Schemas of the vendors' request bodies from the vendors' own Python packages.

Run, in the project's folder, with Python 3.11 or newer:

    python3 -m venv /tmp/vendor
    /tmp/vendor/bin/pip install $(python3 tests/vendor/refresh.py --pins)
    /tmp/vendor/bin/python tests/vendor/refresh.py            write the schemas, then run examples.json
    /tmp/vendor/bin/python tests/vendor/refresh.py --check    write nothing; fail where a file would change

To move to newer packages: raise PINS, run, and read the diff. What this script does not understand stops it.

What the schemas say, and what they do not:
- Every object is closed, so a misspelt key fails. Open are only real maps (metadata, labels), values that are JSON of
  the user's own (tool input, JSON Schemas), and what `x-open` names: keys that promptc never writes.
- `x-caller-adds` names keys that the API demands and the caller adds to what promptc emits: the model, limits, the
  conversation. They are known, and not required. A model that goes into the URL is no key of the body at all.
- `x-not-in-body` names what the package takes as a parameter and sends as a header: not keys of the body.
- Where the whole would be long (Anthropic, the Responses API), a block that promptc never writes (a tool's result,
  reasoning, an image) is a stub: its tag (`type`) is known, the rest of it is open. A block whose tag may be missing is
  never a stub, or it would let a misspelt block pass.
- A list of known values beside any string (model names) is any string. Descriptions are left out.
"""

import argparse
import ast
import collections.abc
import datetime
import gzip
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import sys
import types
import typing

PINS = {
    "anthropic": "2.14.0",
    "openai": "3.57.0",
    "google-genai": "3.6.1",
    "botocore": "1.44.8",
    "jsonschema": "4.26.0",
}

HERE = pathlib.Path(__file__).resolve().parent
DIALECT = "https://json-schema.org/draft/2020-12/schema"

# Keys of the top level that promptc never writes, where the whole would be long. Known, of any value.
OPEN = {
    "anthropic-messages": ["container", "diagnostics", "output_config", "thinking", "tool_choice", "tools"],
    "openai-responses": ["moderation", "prompt", "reasoning", "text", "tool_choice", "tools"],
    "openai-chat": [],
    "gemini-generate-content": [],  # What the package rewrites on its way out: found below.
    "bedrock-converse": [],
}

# Keys that the API demands and the caller adds, or adds to.
CALLER_ADDS = {
    "anthropic-messages": ["max_tokens", "messages", "model"],
    "openai-responses": ["input", "model"],
    "openai-chat": ["model"],
    "gemini-generate-content": ["contents"],
    "bedrock-converse": ["messages"],
}

# Tags (`type`) of what promptc writes, or might: never stubs.
WHOLE_TAGS = {"ephemeral", "input_text", "message", "output_text", "refusal", "text"}


def stop(why):
    sys.exit(f"refresh.py: {why}")


def closed(properties, required=()):
    out = {"type": "object", "properties": properties}
    if required:
        out["required"] = sorted(required)
    out["additionalProperties"] = False
    return out


def any_of(schemas):
    """A union: flat, without repetition, its values together, without those that a plain string says already."""
    flat = []
    for schema in schemas:
        for part in schema["anyOf"] if set(schema) == {"anyOf"} else [schema]:
            if part not in flat:
                flat.append(part)
    for kind in ("string", "boolean", "integer"):
        values = [s for s in flat if s.get("type") == kind and "enum" in s]
        if values:
            plain = {"type": kind} in flat
            at = flat.index(values[0])
            flat = [s for s in flat if s not in values]
            if not plain:
                flat.insert(at, enum({v for s in values for v in s["enum"]}))
    return flat[0] if len(flat) == 1 else {"anyOf": flat}


def enum(values):
    """Sorted: a Literal's own order is not kept by Python's typing, where two of the same values are one."""
    values = sorted(values, key=str)
    kinds = {bool: "boolean", int: "integer", str: "string", type(None): "null"}
    names = sorted({kinds[type(v)] for v in values})
    return {"type": names[0] if len(names) == 1 else names, "enum": values}


class Python:
    """TypedDicts and pydantic models to JSON Schema."""

    STRINGS = (bytes, datetime.datetime, datetime.date, os.PathLike)
    PLAIN = {
        str: {"type": "string"},
        int: {"type": "integer"},
        float: {"type": "number"},
        bool: {"type": "boolean"},
        type(None): {"type": "null"},
        typing.Any: {},
        object: {},
    }

    def __init__(self, stubs):
        self.defs = {}
        self.stubs = stubs

    def schema(self, t, where):
        origin, args = typing.get_origin(t), typing.get_args(t)
        if t in self.PLAIN:
            return dict(self.PLAIN[t])
        if isinstance(t, type) and issubclass(t, self.STRINGS) or origin in (os.PathLike, typing.IO):
            return {"type": "string"}
        if is_wrapper(origin):
            return self.schema(args[0], where)
        if is_literal(t):
            return enum(args)
        if origin in (typing.Union, types.UnionType):
            # A model of an answer may stand in the place of a block: the same block, as the package read it.
            parts = [a for a in args if not is_answer(a)] or args
            return any_of([self.schema(a, where) for a in parts])
        if origin in (dict, collections.abc.Mapping):
            return {"type": "object", "additionalProperties": self.schema(args[1], where)}
        if origin in (list, collections.abc.Iterable, collections.abc.Sequence) or is_sequence_not_str(origin):
            return {"type": "array", "items": self.schema(args[0], where)}
        if hasattr(t, "__value__"):  # `type X = ...`
            return self.schema(t.__value__, where)
        if is_typed_dict(t) or is_model(t):
            return self.reference(t)
        if isinstance(t, type) and issubclass(t, str) and hasattr(t, "__members__"):
            return enum(m.value for m in t)
        stop(f"{where}: a type that this script does not know: {t!r}")

    def reference(self, cls):
        key = (cls.__module__, cls.__qualname__)
        if key not in self.defs:
            self.defs[key] = {}
            self.defs[key] = self.typed_dict(cls) if is_typed_dict(cls) else self.model(cls)
        return {"$ref": key}

    def typed_dict(self, cls):
        hints = typed_dict_hints(cls)
        required = required_keys(cls)
        if self.stubs and (stub := self.stub(hints, required)):
            return stub
        out = closed({k: self.schema(t, f"{cls.__name__}.{k}") for k, t in hints.items()}, required)
        if getattr(cls, "__pydantic_config__", {}).get("extra") == "allow":
            out["additionalProperties"] = True
        return out

    def stub(self, hints, required):
        tag = hints.get("type")
        while is_wrapper(typing.get_origin(tag)):
            tag = typing.get_args(tag)[0]
        values = typing.get_args(tag)
        if not is_literal(tag) or "type" not in required or WHOLE_TAGS & set(values):
            return None
        return {"type": "object", "properties": {"type": enum(values)}, "required": ["type"]}

    def model(self, cls):
        properties, required = {}, []
        for name, field in cls.model_fields.items():
            key = field.alias or name
            properties[key] = self.schema(not_none(field.annotation), f"{cls.__name__}.{name}")
            if field.is_required():
                required.append(key)
        return closed(properties, required)

    def finish(self, body):
        """Short names for the definitions: the class's own; with its module's where two differ and share it."""
        same = {}
        for (_, name), schema in self.defs.items():
            if schema not in same.setdefault(name, []):
                same[name].append(schema)
        short = {
            (module, name): name if len(same[name]) == 1 else f"{module.rsplit('.', 1)[1]}.{name}"
            for module, name in self.defs
        }
        by_name = {short[key]: schema for key, schema in self.defs.items()}
        if any(by_name[short[key]] != schema for key, schema in self.defs.items()):
            stop("two definitions of one name in modules of one name")

        def named(x):
            if isinstance(x, dict) and type(x.get("$ref")) is tuple:
                return {"$ref": f"#/$defs/{short[x['$ref']]}"}
            if isinstance(x, dict):
                return {k: named(v) for k, v in x.items()}
            return [named(i) for i in x] if isinstance(x, list) else x

        body = named(body)
        body["$defs"] = {key: named(schema) for key, schema in sorted(by_name.items())}
        return body


def is_typed_dict(t):
    return isinstance(t, type) and issubclass(t, dict) and hasattr(t, "__total__")


def is_model(t):
    return isinstance(t, type) and hasattr(t, "model_fields")


def is_answer(t):
    """A model among TypedDicts, or a union of such."""
    while is_wrapper(typing.get_origin(t)):
        t = typing.get_args(t)[0]
    union = typing.get_origin(t) in (typing.Union, types.UnionType)
    return is_model(t) or union and all(is_answer(a) for a in typing.get_args(t))


def is_literal(t):
    return getattr(typing.get_origin(t), "__name__", None) == "Literal"


def is_wrapper(origin):
    return getattr(origin, "__name__", None) in ("Required", "NotRequired", "ReadOnly", "Annotated")


def is_sequence_not_str(origin):
    return getattr(origin, "__name__", None) == "SequenceNotStr"


def not_none(t):
    if typing.get_origin(t) in (typing.Union, types.UnionType):
        return typing.Union[tuple(a for a in typing.get_args(t) if a is not type(None))]
    return t


def typed_dict_hints(cls):
    return typing.get_type_hints(cls, include_extras=True)


def required_keys(cls):
    """`__required_keys__` is of no use: with postponed annotations it does not see `Required`."""
    inherited, required = {}, set()
    for base in getattr(cls, "__orig_bases__", ()):
        if is_typed_dict(base):
            inherited |= typed_dict_hints(base)
            required |= required_keys(base)
    for key, t in typed_dict_hints(cls).items():
        if key in inherited and inherited[key] == t:
            continue
        wrapper = getattr(typing.get_origin(t), "__name__", None)
        required.discard(key)
        if wrapper == "Required" or (wrapper != "NotRequired" and cls.__total__):
            required.add(key)
    return required


def tree(module):
    return ast.parse(pathlib.Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8"))


def sent_keys(module, cls):
    """The keys that the package's own `create` puts into the body."""
    for node in tree(module).body:
        if not (isinstance(node, ast.ClassDef) and node.name == cls):
            continue
        create = [f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "create" and posts(f)]
        if len(create) == 1:
            body = posts(create[0])
            body = body.args[0] if isinstance(body, ast.Call) else body
            return [k.value for k in body.keys]
    stop(f"{module}.{cls}.create: no body found")


def posts(function):
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "_post":
            return next(k.value for k in node.keywords if k.arg == "body")
    return None


def typed_body(name, union, module, cls, stubs):
    """A body that is a union of TypedDicts (with and without streaming): one object."""
    python = Python(stubs)
    variants = typing.get_args(union)
    hints, required = {}, None
    for variant in variants:
        needed = required_keys(variant)
        required = needed if required is None else required & needed
        for key, t in typed_dict_hints(variant).items():
            hints.setdefault(key, []).append(t)
    sent = sent_keys(module, cls)
    if unknown := [k for k in sent if k not in hints]:
        stop(f"{name}: sent, and in no type: {unknown}")
    if gone := [k for k in OPEN[name] + CALLER_ADDS[name] if k not in sent]:
        stop(f"{name}: no longer a key: {gone}")
    properties = {
        key: {} if key in OPEN[name] else any_of([python.schema(t, f"{name}.{key}") for t in ts])
        for key, ts in hints.items()
        if key in sent
    }
    body = closed(properties, required - set(CALLER_ADDS[name]))
    return python.finish(body), sorted(set(hints) - set(sent)), OPEN[name]


def anthropic_messages(name):
    from anthropic.types.message_create_params import MessageCreateParams

    return typed_body(name, MessageCreateParams, "anthropic.resources.messages.messages", "Messages", stubs=True)


def openai_responses(name):
    from openai.types.responses.response_create_params import ResponseCreateParams

    return typed_body(name, ResponseCreateParams, "openai.resources.responses.responses", "Responses", stubs=True)


def openai_chat(name):
    from openai.types.chat.completion_create_params import CompletionCreateParams

    module = "openai.resources.chat.completions.completions"
    return typed_body(name, CompletionCreateParams, module, "Completions", stubs=False)


def gemini_generate_content(name):
    """The package's parameters are not the body: its converters are, one for each of its two services.

    A key that either service takes is known. A value that a converter passes on unchanged has the parameter's type;
    one that it rewrites is open, but for the contents, which it copies field by field. All fields of the package's
    models are optional there, which says that they may be missing, not that they may be null. Keys are in camel case,
    as the models' aliases; the package itself sends some inner ones in snake case, and none that promptc writes.
    """
    from google.genai import types as genai

    python = Python(stubs=False)
    functions = {f.name: f for f in tree("google.genai.models").body if isinstance(f, ast.FunctionDef)}
    fields = genai.GenerateContentConfig.model_fields
    content = python.schema(genai.Content, name)
    known = {"systemInstruction": content, "cachedContent": {"type": "string"}}
    top, inner, opened = {"contents": {"type": "array", "items": content}}, {}, []
    copied = {"Part": set(), "Content": set(), "GenerateContentParameters": set()}
    for service in ("mldev", "vertex"):
        for target, key, field, plain in writes(functions[f"_GenerateContentConfig_to_{service}"]):
            into, path = (top, key) if target == "parent_object" else (inner, f"generationConfig.{key}")
            if key in known:
                into[key] = known[key]
            elif plain:
                into[key] = python.schema(not_none(fields[field].annotation), field)
            else:
                into[key] = {}
                opened.append(path)
        for what, keys in copied.items():
            keys |= {key for _, key, _, _ in writes(functions[f"_{what}_to_{service}"])}
    models = {name: set(schema["properties"]) for (_, name), schema in python.defs.items()}
    models["GenerateContentParameters"] = {"contents", "generationConfig"}
    if other := [what for what, keys in copied.items() if keys != models[what]]:
        stop(f"{name}: the converters write other keys than the models have: {other}")
    top["generationConfig"] = closed(inner)
    return python.finish(closed(top)), [], sorted(set(opened))


def writes(function):
    """Of a converter of google-genai: (object written to, key, field read, whether it is passed on unchanged)."""
    for node in ast.walk(function):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare):
            field = node.test.left.args[1].elts[0].value
            for call in (s.value for s in node.body if isinstance(s, ast.Expr)):
                if getattr(call.func, "id", None) == "setv":
                    target, path, value = call.args
                    if path.elts[0].value.startswith("_"):  # The URL.
                        continue
                    if len(path.elts) != 1:
                        stop(f"{function.name}: a key within a key")
                    plain = isinstance(value, ast.Call) and getattr(value.func, "id", None) == "getv"
                    yield target.id, path.elts[0].value, field, plain


def bedrock_converse(name):
    import botocore

    data = pathlib.Path(botocore.__file__).parent / "data" / "bedrock-runtime"
    newest = sorted(p for p in data.iterdir() if p.is_dir())[-1]
    shapes = json.loads(gzip.open(newest / "service-2.json.gz").read())["shapes"]
    defs = {}

    def reference(shape):
        if shapes[shape]["type"] != "structure" or shapes[shape].get("document"):
            return value(shape)
        if shape not in defs:
            defs[shape] = {}
            defs[shape] = structure(shape)
        return {"$ref": f"#/$defs/{shape}"}

    def structure(shape):
        s = shapes[shape]
        inside = {k: m for k, m in s["members"].items() if "location" not in m}  # Elsewhere: in the URL, in headers.
        properties = {m.get("locationName", k): reference(m["shape"]) for k, m in inside.items()}
        out = closed(properties, [inside[k].get("locationName", k) for k in s.get("required", []) if k in inside])
        if s.get("union"):  # Exactly one member.
            out |= {"minProperties": 1, "maxProperties": 1}
        return out

    def value(shape):
        s = shapes[shape]
        unit = {"string": "Length", "list": "Items", "map": "Properties"}.get(s["type"], "imum")
        low, high = f"min{unit}", f"max{unit}"
        bounds = ({low: s["min"]} if "min" in s else {}) | ({high: s["max"]} if "max" in s else {})
        if s.get("document"):
            return {}
        match s["type"]:
            case "string":
                return enum(s["enum"]) if "enum" in s else {"type": "string"} | bounds
            case "blob" | "timestamp":
                return {"type": "string"}
            case "boolean":
                return {"type": "boolean"}
            case "integer" | "long":
                return {"type": "integer"} | bounds
            case "float" | "double":
                return {"type": "number"} | bounds
            case "list":
                return {"type": "array", "items": reference(s["member"]["shape"])} | bounds
            case "map":
                return {"type": "object", "additionalProperties": reference(s["value"]["shape"])} | bounds
        stop(f"{name}: a shape that this script does not know: {shape}, {s['type']}")

    body = structure("ConverseRequest")
    if gone := [k for k in CALLER_ADDS[name] if k not in body["properties"]]:
        stop(f"{name}: no longer a key: {gone}")
    body["$defs"] = dict(sorted(defs.items()))
    return body, [], OPEN[name]


SCHEMAS = {
    "anthropic-messages": ("anthropic", "MessageCreateParams", anthropic_messages),
    "openai-responses": ("openai", "ResponseCreateParams", openai_responses),
    "openai-chat": ("openai", "CompletionCreateParams", openai_chat),
    "gemini-generate-content": ("google-genai", "GenerateContentConfig and its converters", gemini_generate_content),
    "bedrock-converse": ("botocore", "bedrock-runtime, ConverseRequest", bedrock_converse),
}


def make(name):
    package, entry, build = SCHEMAS[name]
    body, not_in_body, opened = build(name)
    meta = importlib.metadata.metadata(package)
    licence = meta.get("License-Expression") or meta.get("License") or stop(f"{package}: no licence")
    head = {
        "$schema": DIALECT,
        "$comment": f"Made by refresh.py from {package} {PINS[package]} ({licence}). Do not edit.",
        "x-source": {"package": package, "version": PINS[package], "entry": entry},
        "x-caller-adds": CALLER_ADDS[name],
        "x-not-in-body": not_in_body,
        "x-open": opened,
    }
    return head | body


def text(schema):
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def run_examples(schemas):
    """Good bodies pass, bad ones fail: of `examples.json`, which the Rust tests run too."""
    import jsonschema

    examples = json.loads((HERE / "examples.json").read_text(encoding="utf-8"))
    if set(examples) != set(schemas):
        stop("examples.json: not the same schemas")
    wrong = []
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for verdict in ("good", "bad"):
            for example in examples[name][verdict]:
                errors = list(validator.iter_errors(example["body"]))
                if (verdict == "good") == bool(errors):
                    wrong.append(f"{name}, {verdict}: {example['what']}: {[e.message[:200] for e in errors]}")
        good, bad = (len(examples[name][verdict]) for verdict in ("good", "bad"))
        print(f"{name}: {good} good, {bad} bad, {len(text(schema))} bytes")
    if wrong:
        stop("examples.json:\n" + "\n".join(wrong))


def main():
    parser = argparse.ArgumentParser(description="Closed JSON Schemas of the vendors' request bodies.")
    parser.add_argument("--pins", action="store_true", help="print the packages to install")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file would change")
    options = parser.parse_args()
    if options.pins:
        print(*(f"{package}=={version}" for package, version in PINS.items()))
        return
    for package, version in PINS.items():
        try:
            there = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            there = "missing"
        if there != version:
            stop(f"{package} is {there}, pinned is {version}: see the head of this script")
    schemas = {name: make(name) for name in SCHEMAS}
    stale = []
    for name, schema in schemas.items():
        path = HERE / f"{name}.schema.json"
        if options.check and (not path.exists() or path.read_text(encoding="utf-8") != text(schema)):
            stale.append(path.name)
        elif not options.check:
            path.write_text(text(schema), encoding="utf-8")
    if stale:
        stop(f"would change: {', '.join(stale)}")
    run_examples(schemas)


if __name__ == "__main__":
    main()
