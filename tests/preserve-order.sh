#!/bin/sh
# Do the bytes hang on a feature of a dependency? `serde_json/preserve_order` changes the order of every map that the crate
# makes, and any crate beside this one can switch it on. Builds the program with it, apart from the ordinary build, and
# compares what both write: every profile of this repository, ahead of time, with every fixture, in every form; the
# trace, the token table, messages as JSON, schemas.
#
#     tests/preserve-order.sh [TARGET-DIR]
#
# Too slow for `cargo test`: two release builds, one of them from nothing unless TARGET-DIR is kept from an earlier run.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
target=${1:-$work/target}
cd "$here"

CARGO_TARGET_DIR=$target/plain cargo build --quiet --release --bin promptc
CARGO_TARGET_DIR=$target/ordered cargo build --quiet --release --bin promptc --features serde_json/preserve_order

# Writes everything that one binary makes into a folder.
everything() {
    promptc=$1 out=$2
    mkdir -p "$out"
    emit=$("$promptc" build --emit '?' 2>&1 | sed -n 's/.*: one of //p' | tr -d ',' || true)
    forms=
    for form in $emit; do
        case $form in blocks) ;; *) forms="$forms --emit $form" ;; esac
    done
    "$promptc" build -o "$out/ahead" >"$out/ahead.txt" 2>"$out/ahead.err"
    for path in profiles/*.toml; do
        profile=$(basename "$path" .toml)
        cells=$(find "$out/ahead/$profile" -mindepth 1 -maxdepth 1 -type d -name '*=*' | sed 's/.*\///' | sort)
        for cell in ${cells:-none}; do
            case $cell in none) pick= ;; *) pick="--cell $cell" ;; esac
            "$promptc" tokens "$profile" $pick --format json >"$out/$profile-$cell.tokens" 2>/dev/null
            "$promptc" resolve "$profile" $pick --format json >"$out/$profile-$cell.route" 2>"$out/$profile-$cell.report"
            for fixture in $(sed -n 's/^name *= *"\(.*\)"/\1/p' "$path"); do
                name=$profile-$cell-$fixture
                "$promptc" build "$profile" $pick --context "$fixture" $forms -o "$out/$name" >"$out/$name.txt" 2>"$out/$name.err"
                "$promptc" resolve "$profile" $pick --context "$fixture" >"$out/$name.route" 2>>"$out/$name.err"
            done
        done
        "$promptc" schema context "$profile" >"$out/$profile.schema" 2>&1 || true
    done
    for what in blocks report; do "$promptc" schema $what >"$out/$what.schema"; done
}

everything "$target/plain/release/promptc" "$work/plain"
everything "$target/ordered/release/promptc" "$work/ordered"

files=$(find "$work/plain" -type f | wc -l)
if diff -r "$work/plain" "$work/ordered"; then
    echo "$files files are the same with and without serde_json/preserve_order"
else
    echo "serde_json/preserve_order changes the output" >&2
    exit 1
fi
