"""Reads strings with their counts, as `compare strings` prints them, and counts them with Python's tiktoken.

`python3 check.py FILE` with TIKTOKEN_CACHE_DIR set, as `run` does it. With a second argument it counts that file's text
and prints the count: a whole process to measure.
"""

import json
import sys

import tiktoken

if len(sys.argv) == 3:
    print(len(tiktoken.get_encoding("o200k_base").encode_ordinary(open(sys.argv[2], encoding="utf-8").read())))
    sys.exit()

encodings = {name: tiktoken.get_encoding(name) for name in ("o200k_base", "cl100k_base")}
strings = different = 0
for line in open(sys.argv[1], encoding="utf-8"):
    told = json.loads(line)
    strings += 1
    for name, encoding in encodings.items():
        count = len(encoding.encode_ordinary(told["text"]))
        if count != told[name]:
            different += 1
            print(name, repr(told["text"]), "counted", told[name], "and by tiktoken", count)
print(f"{strings} strings in 2 encodings beside Python's tiktoken {tiktoken.__version__}: {different} different")
sys.exit(different != 0 or strings == 0)
