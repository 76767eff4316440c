//! Counts of tokens are those of the published encoder, which is asked beside.
//!
//! The ordinary tests take a small part of the strings; all of them, some millions, are compared by
//! `cargo test --release --test it -- --ignored tokens`.

use std::fmt::Write as _;
use std::fs;

use promptc::tokens::Encoding;
use tiktoken_rs::CoreBPE;

use crate::dice::Dice;
use crate::support::root;

/// Letters of each class, of each width, with and without case; contractions; blanks and breaks; marks; halves of
/// tokens that are frequent.
const NASTY: [&str; 22] = [
    " ", "\n", "\r", "\t", "\u{a0}", "\u{2028}", "a", "B", "s", "LL", "'", "ſ", "ǅ", "ʰ", "字", "\u{301}", "7", "½",
    "/", "!", "🙂", "re",
];

impl Dice {
    /// A character, mostly of a script that is written.
    fn letter(&mut self) -> char {
        let (start, end) = match self.below(12) {
            0..=2 => (0x20, 0x7f),
            3 => (0x09, 0x0e),
            4 => (0x80, 0x250),
            5 => (0x2b0, 0x530),
            6 => (0x530, 0x1100),
            7 => (0x1100, 0x3400),
            8 => (0x4e00, 0x9fff),
            9 => (0xac00, 0xd7a4),
            10 => (0x1f300, 0x1fa00),
            _ => (0, 0x11_0000),
        };
        char::from_u32((start + self.below(end - start)) as u32).unwrap_or('\u{fffd}')
    }
}

/// Both encodings with the encoders that they are compared with, and how many strings were.
struct Comparison {
    encoders: [(Encoding, &'static CoreBPE); 2],
    strings: usize,
}

impl Comparison {
    fn new() -> Comparison {
        let encoders = [
            (Encoding::O200kBase, tiktoken_rs::o200k_base_singleton()),
            (Encoding::Cl100kBase, tiktoken_rs::cl100k_base_singleton()),
        ];
        Comparison { encoders, strings: 0 }
    }

    fn same(&mut self, text: &str) {
        self.strings += 1;
        for (encoding, encoder) in self.encoders {
            let told = encoder.encode_ordinary(text).len() as u64;
            assert_eq!(encoding.count(text), told, "{}: {text:?}", encoding.name());
        }
    }

    /// All strings of up to `length` parts of the nasty alphabet, of which every `step`-th.
    fn short(&mut self, length: u32, step: usize) {
        for parts in 0..=length {
            for n in (0..NASTY.len().pow(parts)).step_by(step) {
                let digit = |place| NASTY[n / NASTY.len().pow(place) % NASTY.len()];
                self.same(&(0..parts).map(digit).collect::<String>());
            }
        }
    }

    fn random(&mut self, dice: &mut Dice, strings: usize) {
        for _ in 0..strings {
            let length = 1 + dice.below(40);
            let text: String = match dice.below(3) {
                0 => (0..length).map(|_| dice.letter()).collect(),
                1 => (0..length).map(|_| *dice.one(&NASTY)).collect(),
                _ => {
                    let (a, b) = (dice.letter(), dice.letter());
                    (0..length).map(|_| if dice.below(5) == 0 { b } else { a }).collect()
                }
            };
            self.same(&text);
        }
    }

    /// Parts of texts with some characters replaced, doubled, left out, or in another case.
    fn mutated(&mut self, dice: &mut Dice, texts: &[String], strings: usize) {
        for _ in 0..strings {
            let text: Vec<char> = texts[dice.below(texts.len())].chars().collect();
            let start = dice.below(text.len());
            let mut part = text[start..(start + 1 + dice.below(300)).min(text.len())].to_vec();
            for _ in 0..dice.below(8) {
                let at = dice.below(part.len());
                match dice.below(5) {
                    0 => part[at] = dice.letter(),
                    1 => part.insert(at, part[at]),
                    2 if part.len() > 1 => _ = part.remove(at),
                    3 => part[at] = part[at].to_uppercase().next().unwrap(),
                    _ => part.splice(at..at, dice.one(&NASTY).chars()).for_each(drop),
                }
            }
            self.same(&part.into_iter().collect::<String>());
        }
    }

    fn runs(&mut self, dice: &mut Dice, longest: usize) {
        for unit in NASTY.iter().copied().chain(["ab", "字一", "=-", " a", "\n ", "aaaaB", "0", "一", "ا", "-", "😀 "])
        {
            let mut length = 1;
            while length <= longest {
                let run = unit.repeat(length);
                self.same(&run);
                self.same(&format!("x{run}"));
                self.same(&format!("{run}{}", dice.letter()));
                length += 1 + length / 2 + dice.below(3);
            }
        }
    }
}

/// Prose, code and Chinese: the project's own pages and sources, and a page of Chinese.
fn texts() -> Vec<String> {
    let mut texts = vec![CHINESE.to_owned()];
    for folder in ["docs", "docs/guide", "docs/decisions", "src", "src/tokens", "tests/it"] {
        let mut paths: Vec<_> = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let wanted =
            paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "md" || ending == "rs"));
        texts.extend(wanted.map(|path| fs::read_to_string(path).unwrap()));
    }
    texts
}

const CHINESE: &str = "提示词是程序。系统提示由许多段落组成，每个段落都可能带有条件和变量；服务商按照前缀缓存，因此只要前面变动一个字，\
后面的内容就要重新计算。编译器会检查每个变量在什么时候可以改变：构建时、组织、用户、会话，还是每一轮对话。\
如果把「今天的日期」放在共享前缀里，缓存就会失效，这个错误应当在持续集成时被发现，而不是在账单上。\n\
中文、English 和数字 3.14 常常混在一起；标点符号（全角，半角）也是一样……繁體字：編譯器、快取、權杖。\
日本語も少し：プロンプトはソースコードです。한국어도 조금: 프롬프트는 소스 코드입니다.\n";

#[test]
fn counts_are_those_of_the_published_encoder() {
    let mut comparison = Comparison::new();
    let mut dice = Dice(6);
    comparison.short(2, 1);
    comparison.short(3, 31);
    comparison.random(&mut dice, 400);
    comparison.mutated(&mut dice, &texts(), 200);
    comparison.runs(&mut dice, 300);
    assert!(comparison.strings > 2_000, "{}", comparison.strings);
}

#[test]
fn every_token_counts_as_the_encoder_counts_it() {
    let encoder = tiktoken_rs::o200k_base_singleton();
    let mut one = 0;
    for rank in (0..199_998).step_by(37) {
        if let Ok(text) = String::from_utf8(encoder.decode_bytes(&[rank]).unwrap()) {
            let told = encoder.encode_ordinary(&text).len() as u64;
            assert_eq!(Encoding::O200kBase.count(&text), told, "{text:?}");
            one += usize::from(told == 1);
        }
    }
    assert!(one > 5_000, "{one}");
}

#[test]
fn a_megabyte_of_one_kind_is_counted_whole() {
    // The longest token of spaces has 128, and merging makes nothing else of a power of two.
    assert_eq!(Encoding::O200kBase.count(&" ".repeat(1 << 20)), (1 << 20) / 128);
    for text in ["a".repeat(1 << 20), "一".repeat(1 << 18), "/".repeat(1 << 20), "\n".repeat(1 << 20)] {
        let (half, whole) = (Encoding::O200kBase.count(&text[..text.len() / 2]), Encoding::O200kBase.count(&text));
        assert!(whole > 1_000 && whole.abs_diff(2 * half) <= 2, "{half} {whole}");
    }
}

#[test]
#[ignore = "millions of strings: `cargo test --release --test it -- --ignored tokens`"]
fn all_counts_are_those_of_the_published_encoder() {
    let mut comparison = Comparison::new();
    let mut dice = Dice(1);
    let mut told = String::new();
    let mut tell = |what: &str, comparison: &Comparison| {
        writeln!(told, "{what}: {} strings so far", comparison.strings).unwrap();
    };
    comparison.short(4, 1);
    tell("short", &comparison);
    for code in (0..0x11_0000).filter_map(char::from_u32) {
        comparison.same(&format!("{code}"));
        comparison.same(&format!(" A{code}b{code}{code}'S{code}"));
    }
    tell("every character", &comparison);
    comparison.random(&mut dice, 400_000);
    tell("random", &comparison);
    comparison.mutated(&mut dice, &texts(), 100_000);
    tell("mutated prose, code and Chinese", &comparison);
    comparison.runs(&mut dice, 60_000);
    tell("runs", &comparison);
    for (encoding, encoder) in comparison.encoders {
        for rank in 0..if encoding == Encoding::O200kBase { 199_998 } else { 100_256 } {
            if let Ok(text) = String::from_utf8(encoder.decode_bytes(&[rank]).unwrap()) {
                comparison.same(&text);
                comparison.same(&format!("{text}{text}"));
            }
        }
    }
    tell("every token", &comparison);
    assert!(comparison.strings > 500_000, "{told}");
    std::io::Write::write_all(&mut std::io::stderr(), told.as_bytes()).unwrap();
}
