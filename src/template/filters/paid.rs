//! What a value holds is paid for before the engine walks it: its comparisons charge for the outermost list only, and it
//! joins and sorts by references, however long what they lead to is.

use minijinja::functions::Function;
use minijinja::value::{FunctionArgs, FunctionResult, Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters, tests};

use super::BYTES_PER_FUEL;
use crate::limits::Limits;
use crate::template::guard;

/// Items of a list or table that are walked for one unit of fuel: what the engine takes.
const ITEMS_PER_FUEL: usize = 2;

/// Puts the payment ahead of the engine's filters and tests that compare, join or sort, and adds the filters that
/// [`guard`] puts behind operands.
pub(super) fn register(env: &mut Environment<'_>, limits: &Limits) {
    let most = limits.data_depth.value;
    env.add_filter(guard::PAY, move |state: &State<'_, '_>, value: Value| pay(state, &value, most).map(|()| value));
    env.add_filter(guard::PRINT, move |state: &State<'_, '_>, value: Value| {
        if !value.is_undefined() {
            look(state, &value, most)?;
        }
        Ok::<_, Error>(value)
    });
    env.add_filter(guard::FLAT, move |state: &State<'_, '_>, value: Value| flat(state, value, most));
    env.add_filter(guard::AT, |value: Value| value);
    filter(env, most, "attr", filters::attr);
    filter(env, most, "chain", filters::chain);
    filter(env, most, "dictsort", filters::dictsort);
    filter(env, most, "groupby", filters::groupby);
    filter(env, most, "max", filters::max);
    filter(env, most, "min", filters::min);
    arguments(env, most, "reject", filters::reject);
    arguments(env, most, "rejectattr", filters::rejectattr);
    arguments(env, most, "select", filters::select);
    arguments(env, most, "selectattr", filters::selectattr);
    filter(env, most, "sort", filters::sort);
    filter(env, most, "sum", filters::sum);
    filter(env, most, "unique", filters::unique);
    for name in ["eq", "equalto", "=="] {
        test(env, most, name, tests::is_eq);
    }
    for name in ["ne", "!="] {
        test(env, most, name, tests::is_ne);
    }
    for name in ["lt", "lessthan", "<"] {
        test(env, most, name, tests::is_lt);
    }
    for name in ["le", "<="] {
        test(env, most, name, tests::is_le);
    }
    for name in ["gt", "greaterthan", ">"] {
        test(env, most, name, tests::is_gt);
    }
    for name in ["ge", ">="] {
        test(env, most, name, tests::is_ge);
    }
    test(env, most, "endingwith", tests::is_endingwith);
    test(env, most, "in", tests::is_in);
    test(env, most, "startingwith", tests::is_startingwith);
}

/// A filter that is paid for by all that it is given.
fn filter<F, Rv, Args>(env: &mut Environment<'_>, most: usize, name: &'static str, filter: F)
where
    F: Function<Rv, Args>,
    Rv: FunctionResult,
    Args: for<'a> FunctionArgs<'a>,
{
    ahead(env, name, filter, move |state, args| args.iter().try_for_each(|value| pay(state, value, most)));
}

/// A filter that is paid for by its arguments: what it does to the items of its list, the engine charges.
fn arguments<F, Rv, Args>(env: &mut Environment<'_>, most: usize, name: &'static str, filter: F)
where
    F: Function<Rv, Args>,
    Rv: FunctionResult,
    Args: for<'a> FunctionArgs<'a>,
{
    ahead(env, name, filter, move |state, args| args.iter().skip(1).try_for_each(|value| pay(state, value, most)));
}

/// A filter with a check of what it is given. The engine's filter keeps a name that no template can write.
pub(super) fn ahead<F, Rv, Args>(
    env: &mut Environment<'_>,
    name: &'static str,
    filter: F,
    check: impl Fn(&State<'_, '_>, &[Value]) -> Result<(), Error> + Send + Sync + 'static,
) where
    F: Function<Rv, Args>,
    Rv: FunctionResult,
    Args: for<'a> FunctionArgs<'a>,
{
    let own = format!("engine {name}");
    env.add_filter(own.clone(), filter);
    env.add_filter(name, move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
        let args = args.into_values();
        check(state, &args)?;
        state.apply_filter(&own, &args)
    });
}

/// A test that is paid for by all that it is given.
fn test<F, Rv, Args>(env: &mut Environment<'_>, most: usize, name: &'static str, test: F)
where
    F: Function<Rv, Args>,
    Rv: FunctionResult,
    Args: for<'a> FunctionArgs<'a>,
{
    let own = format!("engine {name}");
    env.add_test(own.clone(), test);
    env.add_test(name, move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
        let args = args.into_values();
        args.iter().try_for_each(|value| pay(state, value, most))?;
        state.perform_test(&own, &args)
    });
}

/// Charges for all that a value holds. A text that is a filter's input is charged by the engine.
fn pay(state: &State<'_, '_>, value: &Value, most: usize) -> Result<(), Error> {
    if !holds_others(value) {
        return Ok(());
    }
    let mut owed = 0;
    walk(value, most, &mut |value, _| {
        owed += BYTES_PER_FUEL / ITEMS_PER_FUEL + value.as_str().map_or(0, str::len);
        state.consume_fuel((owed / BYTES_PER_FUEL) as u64)?;
        owed %= BYTES_PER_FUEL;
        Ok(())
    })
}

/// Fails on an undefined value and on a number that is not finite, also inside; each value that is looked at costs one
/// unit of fuel, since text is made of it next.
pub(in crate::template) fn look(state: &State<'_, '_>, value: &Value, most: usize) -> Result<(), Error> {
    let check = &mut |value: &Value, inside: bool| match value.kind() {
        ValueKind::Undefined if inside => {
            Err(Error::new(ErrorKind::UndefinedError, "a value in the list or table is undefined"))
        }
        ValueKind::Number
            if !value.is_integer() && f64::try_from(value.clone()).is_ok_and(|number| !number.is_finite()) =>
        {
            Err(Error::new(ErrorKind::InvalidOperation, "a number that is not finite cannot be printed"))
        }
        _ if inside => state.consume_fuel(1 + (value.as_str().map_or(0, str::len) / BYTES_PER_FUEL) as u64),
        _ => Ok(()),
    };
    walk(value, most, check)
}

/// A list for what is not one yet: what it is made of is then walked once, and not again by each slice of it.
fn flat(state: &State<'_, '_>, value: Value, most: usize) -> Result<Value, Error> {
    if value.kind() != ValueKind::Iterable {
        return Ok(value);
    }
    pay(state, &value, most)?;
    let items = value.try_iter()?.checked().collect::<Result<Vec<Value>, Error>>()?;
    Ok(Value::make_iterable(move || items.clone().into_iter()))
}

fn holds_others(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable | ValueKind::Map)
}

/// Visits a value and all that it holds, however often the same is held. Lists and tables within one another are bounded
/// since what the engine does with them next goes as deep on the stack.
fn walk(value: &Value, most: usize, visit: &mut dyn FnMut(&Value, bool) -> Result<(), Error>) -> Result<(), Error> {
    visit(value, false)?;
    let mut open = vec![contents(value)?];
    while let Some(list) = open.last_mut() {
        let Some(item) = list.next() else {
            open.pop();
            continue;
        };
        let item = item?;
        visit(&item, true)?;
        if holds_others(&item) {
            if open.len() >= most {
                let problem = format!("lists and tables are nested more than {most} deep");
                return Err(Error::new(ErrorKind::InvalidOperation, problem));
            }
            open.push(contents(&item)?);
        }
    }
    Ok(())
}

type Contents = Box<dyn Iterator<Item = Result<Value, Error>>>;

/// The items of a list, or the keys and values of a table.
fn contents(value: &Value) -> Result<Contents, Error> {
    match value.kind() {
        ValueKind::Seq | ValueKind::Iterable => Ok(Box::new(value.try_iter()?.checked())),
        ValueKind::Map => {
            let table = value.clone();
            Ok(Box::new(value.try_iter()?.flat_map(move |key| {
                let value = table.get_item(&key);
                [Ok(key), value]
            })))
        }
        _ => Ok(Box::new(std::iter::empty())),
    }
}
