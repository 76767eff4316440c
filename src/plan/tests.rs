//! Where marks go, and words of reports.

use super::*;
use crate::manifest::Ttl;
use crate::tokens::{Encoding, Vocabulary};

/// A target of so many marks, some of them kept back for messages, that caches nothing shorter than ten tokens.
fn target(max_marks: u64, marks_for_messages: u64) -> Capabilities {
    let vocabulary = Vocabulary::Encoding(Encoding::from_name("o200k_base").unwrap());
    Capabilities {
        provider: "p".to_owned(),
        model: "m".to_owned(),
        shared_scope: false,
        strips_attribution: false,
        max_marks,
        marks_for_messages,
        min_tokens: 10,
        tools_first: false,
        window: None,
        scope_field: None,
        prices: None,
        tokenizer: TokenizerUse { name: "house".to_owned(), vocabulary, factor: 1.2, band: 0.0 },
        ttls: Vec::new(),
        ttl: Ttl::Default,
    }
}

/// A block of so many tokens; an open one has none.
fn block(kind: Kind, scope: Option<Scope>, tokens: Option<u64>) -> Block {
    Block {
        kind,
        scope,
        lifetime: Lifetime::Build,
        text: tokens.map(|tokens| BlockText { text: String::new(), tokens, digest: String::new() }),
        prefix_digest: None,
        sections: Vec::new(),
        separator: String::new(),
    }
}

#[test]
fn marks_stand_where_they_are_of_use_and_as_many_as_there_are() {
    let org = Some(Scope::Org);
    let attribution = |tokens| (Kind::Attribution, None, Some(tokens));
    let prefix = |tokens| (Kind::Prefix, org, Some(tokens));
    let shared = |tokens| (Kind::Static, org, Some(tokens));
    let dynamic = |tokens| (Kind::Dynamic, org, tokens);
    let (fixed, moving) = (Kind::Static, Kind::Dynamic);
    // Blocks, marks of the target and for messages; what is marked, what would be, and how many are left.
    for (n, (blocks, marks, marked, unplaced, left)) in [
        (vec![prefix(20), shared(20), dynamic(Some(20))], (4, 0), vec![fixed, moving], vec![], 2),
        (vec![prefix(20), dynamic(Some(20))], (4, 0), vec![Kind::Prefix, moving], vec![], 2),
        (vec![shared(9), dynamic(Some(1))], (4, 0), vec![moving], vec![], 3),
        (vec![attribution(9), shared(9)], (4, 0), vec![], vec![], 4),
        (vec![shared(9), dynamic(None)], (4, 0), vec![moving], vec![], 3),
        (vec![shared(20), dynamic(Some(20))], (1, 0), vec![fixed], vec![moving], 0),
        (vec![shared(20), dynamic(Some(20))], (3, 2), vec![fixed], vec![moving], 2),
        (vec![shared(20), dynamic(Some(20))], (2, 3), vec![], vec![fixed, moving], 2),
        (vec![(fixed, None, Some(20))], (4, 0), vec![], vec![], 4),
    ]
    .into_iter()
    .enumerate()
    {
        let blocks = blocks.into_iter().map(|(kind, scope, tokens)| block(kind, scope, tokens)).collect();
        let plan = BlockPlan { strategy: Strategy::Fallback, reason: "", blocks };
        let fitted = fit(plan, &target(marks.0, marks.1));
        let found: Vec<Kind> =
            fitted.plan.blocks.iter().zip(&fitted.marks).filter(|(_, m)| m.is_some()).map(|(b, _)| b.kind).collect();
        assert_eq!((found, fitted.unplaced, fitted.marks_left), (marked, unplaced, left), "{n}");
    }
}

#[test]
fn the_first_user_message_has_a_channel_of_its_own() {
    let apart: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| kind.channel() != "system").collect();
    assert_eq!(apart, [Kind::UserContext]);
    assert_eq!(Kind::UserContext.channel(), "user_context");
}

#[test]
fn a_tokenizer_over_an_encoding_is_named_by_what_counts() {
    let tokenizer = target(0, 0).tokenizer;
    assert_eq!((tokenizer.name.as_str(), tokenizer.counted_by()), ("house", "o200k_base"));
    assert!(!tokenizer.is_exact());
    assert!(TokenizerUse { factor: 1.0, ..tokenizer }.is_exact());
}
