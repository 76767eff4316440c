//! What a value holds is looked at before the engine makes text of it: its own conversions print an undefined value and
//! an infinite number inside of a list without a word, and pay for the text only when it is there.

use minijinja::functions::Function;
use minijinja::value::{FunctionArgs, FunctionResult, Kwargs};
use minijinja::{Environment, Error, State, Value, filters};

use super::paid::{ahead, look};
use crate::limits::Limits;

/// Most blanks of one step of `tojson(indent)`.
const MAX_INDENT: usize = 64;

/// Puts the look ahead of the engine's filters that make text.
pub(super) fn register(env: &mut Environment<'_>, limits: &Limits) {
    let most = limits.data_depth.value;
    look_first(env, most, "capitalize", filters::capitalize);
    look_first(env, most, "e", filters::escape);
    look_first(env, most, "escape", filters::escape);
    look_first(env, most, "format", filters::format);
    look_first(env, most, "indent", filters::indent);
    look_first(env, most, "join", filters::join);
    look_first(env, most, "lower", filters::lower);
    look_first(env, most, "pprint", filters::pprint);
    look_first(env, most, "replace", filters::replace);
    look_first(env, most, "safe", filters::safe);
    look_first(env, most, "string", filters::string);
    look_first(env, most, "title", filters::title);
    look_first(env, most, "trim", filters::trim);
    look_first(env, most, "upper", filters::upper);
    env.add_filter("tojson", move |state: &State<'_, '_>, value: &Value, indent: Option<Value>, named: Kwargs| {
        look(state, value, most)?;
        tojson(state, value, indent, named)
    });
}

fn look_first<F, Rv, Args>(env: &mut Environment<'_>, most: usize, name: &'static str, filter: F)
where
    F: Function<Rv, Args>,
    Rv: FunctionResult,
    Args: for<'a> FunctionArgs<'a>,
{
    ahead(env, name, filter, move |state, args| {
        args.iter().filter(|value| !value.is_undefined()).try_for_each(|value| look(state, value, most))
    });
}

fn tojson(state: &State<'_, '_>, value: &Value, indent: Option<Value>, named: Kwargs) -> Result<Value, Error> {
    let step = match &indent {
        Some(step) => Some(step.clone()),
        None => named.peek::<Option<Value>>("indent").unwrap_or_default(),
    };
    if step.and_then(|step| step.as_usize()).is_some_and(|step| step > MAX_INDENT) {
        return Err(super::wrong("tojson(indent)", format_args!("takes an indent of at most {MAX_INDENT}")));
    }
    let json = filters::tojson(value, indent, named)?;
    super::charge(state, json.as_str().unwrap_or_default().len())?;
    Ok(json)
}
