//! The text that a template prints whatever its inputs are.

use minijinja::machinery::{ast, parse};

use super::engine::syntax_config;
use super::{Syntax, size};
use crate::limits::Limits;

/// What stands in a template outside every condition and loop; nothing of what it includes. Empty for a text that does
/// not parse.
pub fn fixed(text: &str, syntax: Syntax) -> String {
    let mut out = String::new();
    let most = Limits::default().template_terms.most;
    if size::too_large(text, syntax_config(syntax), most).is_none()
        && let Ok(tree) = parse(text, "", syntax_config(syntax))
    {
        statement(&tree, &mut out);
    }
    out
}

fn statement(statement: &ast::Stmt<'_>, out: &mut String) {
    let inner = match statement {
        ast::Stmt::EmitRaw(raw) => {
            out.push_str(raw.raw);
            return;
        }
        ast::Stmt::Template(s) => &s.children,
        ast::Stmt::WithBlock(s) => &s.body,
        ast::Stmt::AutoEscape(s) => &s.body,
        ast::Stmt::FilterBlock(s) => &s.body,
        _ => return,
    };
    inner.iter().for_each(|inner| self::statement(inner, out));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_loops_and_values_are_not_fixed() {
        let syntax = Syntax { trim_blocks: true, lstrip_blocks: true, keep_trailing_newline: true };
        let text = "One {{ a }} two.\n{% if b %}\nno\n{% endif %}\n{% with c = 1 %}\nthree\n{% endwith %}\n{% for d in e %}x{% endfor %}{# f #}";
        assert_eq!(fixed(text, syntax), "One  two.\nthree\n");
        assert_eq!(fixed("{% if %}", syntax), "");
    }
}
