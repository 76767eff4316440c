//! `promptc diff`: repositories made of commits, and what each commit does.

mod classes;
mod history;
mod hostile;
mod lint;
mod markdown;
mod numbers;
mod places;
mod repo;
mod strange;
