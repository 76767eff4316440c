//! What a value holds is looked at before the engine makes text of it: its own conversions print an undefined value and
//! an infinite number inside of a list without a word, and pay for the text only when it is there.

use minijinja::functions::Function;
use minijinja::value::{FunctionArgs, FunctionResult, Kwargs, Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters};

/// Most blanks of one step of `tojson(indent)`.
const MAX_INDENT: usize = 64;

/// Puts the look ahead of the engine's filters that make text.
pub(super) fn register(env: &mut Environment<'_>) {
    look_first(env, "capitalize", filters::capitalize);
    look_first(env, "format", filters::format);
    look_first(env, "indent", filters::indent);
    look_first(env, "join", filters::join);
    look_first(env, "lower", filters::lower);
    look_first(env, "pprint", filters::pprint);
    look_first(env, "replace", filters::replace);
    look_first(env, "string", filters::string);
    look_first(env, "title", filters::title);
    look_first(env, "trim", filters::trim);
    look_first(env, "upper", filters::upper);
    env.add_filter("tojson", tojson);
}

/// The engine's filter keeps a name that no template can write.
fn look_first<F, Rv, Args>(env: &mut Environment<'_>, name: &'static str, filter: F)
where
    F: Function<Rv, Args>,
    Rv: FunctionResult,
    Args: for<'a> FunctionArgs<'a>,
{
    let own = format!("engine {name}");
    env.add_filter(own.clone(), filter);
    env.add_filter(name, move |state: &mut State<'_, '_>, args: Rest<Value>| {
        for value in args.iter().filter(|value| !value.is_undefined()) {
            look(state, value)?;
        }
        state.apply_filter(&own, &args)
    });
}

fn tojson(state: &State<'_, '_>, value: &Value, indent: Option<Value>, named: Kwargs) -> Result<Value, Error> {
    look(state, value)?;
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

/// Fails on an undefined value and on a number that is not finite, also inside; each value that is looked at costs one
/// unit of fuel.
pub(in crate::template) fn look(state: &State<'_, '_>, value: &Value) -> Result<(), Error> {
    let mut inside = false;
    let mut rest = vec![value.clone()];
    while let Some(value) = rest.pop() {
        match value.kind() {
            ValueKind::Undefined if inside => {
                return Err(Error::new(ErrorKind::UndefinedError, "a value in the list or table is undefined"));
            }
            ValueKind::Number
                if !value.is_integer() && f64::try_from(value.clone()).is_ok_and(|number| !number.is_finite()) =>
            {
                return Err(Error::new(ErrorKind::InvalidOperation, "a number that is not finite cannot be printed"));
            }
            ValueKind::Seq | ValueKind::Iterable => {
                for item in value.try_iter()? {
                    state.consume_fuel(1)?;
                    rest.push(item);
                }
            }
            ValueKind::Map => {
                for key in value.try_iter()? {
                    state.consume_fuel(1)?;
                    rest.push(value.get_item(&key)?);
                }
            }
            _ => {}
        }
        inside = true;
    }
    Ok(())
}
