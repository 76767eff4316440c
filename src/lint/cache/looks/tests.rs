//! What is seen as a literal of one run, and what is not. `⌂` stands for a home: no file has a path of one machine.

use super::Look::*;
use super::*;

fn found(text: &str) -> Vec<(String, Look)> {
    let text = with_homes(text);
    literals(&text, true).into_iter().map(|(range, look)| (text[range].to_owned(), look)).collect()
}

fn with_homes(text: &str) -> String {
    text.replace("⌂⌂⌂", "Users\\").replace("⌂⌂", "/Users").replace('⌂', "/home")
}

#[test]
fn values_of_one_run_are_seen() {
    for (text, part, look) in [
        ("Started at 2026-01-02T03:04:05Z.", "2026-01-02T03:04:05Z", Moment),
        ("Started 2026-01-02 03:04, in the hall.", "2026-01-02 03:04", Moment),
        ("Now: Fri Jan 2 03:04:05 2026", "03:04:05", Moment),
        ("Today is 2026-01-02.", "2026-01-02", Moment),
        ("时间是2026-01-02T03:04。", "2026-01-02T03:04", Moment),
        ("run 7c9e6679-7425-40de-944b-e07fc1f90ae7", "7c9e6679-7425-40de-944b-e07fc1f90ae7", Uuid),
        ("url=/s/7c9e6679-7425-40de-944b-e07fc1f90ae7/x", "/s/7c9e6679-7425-40de-944b-e07fc1f90ae7/x", Uuid),
        ("Built from 9fceb02d0ae598e95dc970b74767f19372d61af8.", "9fceb02d0ae598e95dc970b74767f19372d61af8", Commit),
        ("It stands at commit `9fceb02`.", "9fceb02", Commit),
        ("Notes are in ⌂/mara/garden/.", "⌂/mara/garden/", Home),
        ("dir=⌂⌂/mara/garden", "⌂⌂/mara/garden", Home),
        ("in `C:\\⌂⌂⌂Mara\\garden`", "C:\\⌂⌂⌂Mara\\garden", Home),
        ("Scratch: /tmp/garden/notes", "/tmp/garden/notes", Temp),
        ("Scratch: `/tmp/run-8812`", "/tmp/run-8812", Temp),
        ("/var/folders/zz/x", "/var/folders/zz/x", Temp),
        ("Ask <mara.vole@orchard.dev>.", "mara.vole@orchard.dev", Person),
        ("See https://wiki.orchard.corp/x", "https://wiki.orchard.corp/x", Host),
        ("Print on shed.local please", "shed.local", Host),
        ("The pump is at 192.168.4.17.", "192.168.4.17", Host),
        ("`db.prod.internal`", "db.prod.internal", Host),
    ] {
        assert_eq!(found(text), [(with_homes(part), look)], "{text}");
    }
}

#[test]
fn text_that_shows_how_something_is_written_is_none() {
    for text in [
        "The price list of 2026-01-02 counts.",
        "Write times as `2026-01-02T03:04:05Z`.",
        "For example: 2026-01-02T03:04:05Z, ⌂/mara/x, mara@orchard.dev",
        "id 00000000-0000-0000-0000-000000000000 or 12345678-1234-1234-1234-123456789abc",
        "commit deadbeef, commit abcdef1, commit 1234567, pin 1111111111111111111111111111111111111111",
        "Paths such as ⌂/mara/x",
        "⌂/user/project, ⌂⌂/yourname/x, ⌂/$USER/x, ⌂/<name>/x, ⌂/{{ user }}/x, ~/.config",
        "Keep scratch files in `/tmp/scratch`, or in /tmp.",
        "Write to support@orchard.dev, noreply@orchard.dev or mara@example.com; clone git@host.dev:a/b.git",
        "Co-authored-by: Gardener <gardener@orchard.dev>",
        "https://${TOKEN}@orchard.dev/x and https://mara:key@orchard.dev/x",
        "Read `settings.local`, .env.local, `threading.local()`, `docker-compose.local.yml` and host.docker.internal",
        "127.0.0.1, localhost, 8.8.8.8, the network 10.0.0.0/8, version 10.2.3",
        "{# asked by mara@orchard.dev on 2026-01-02T03:04:05Z #}",
        "```\n2026-01-02T03:04:05Z ⌂/mara/x\n```",
        "meet at 10:30, in 2026",
        "\"created\": \"2026-01-02T03:04:05Z\",\n  {\"id\": \"7c9e6679-7425-40de-944b-e07fc1f90ae7\"}",
        "$ ls ⌂/mara/x",
        "key 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
        "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee, 8dfe3659-4309-493a-8755-0123456789ab",
        "![](https://orchard.dev/117568104-1c00f900-b0bf-11eb-938f-4c253d192480.png)",
        "mktemp -d /tmp/wheel-XXXXX, ⌂/mara/path/to/project, 192.168.1.1",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn a_fence_ends_where_it_began() {
    assert_eq!(found("```\n~~~\n⌂/mara/a\n```\n⌂/mara/b\n"), [(with_homes("⌂/mara/b"), Home)]);
}
