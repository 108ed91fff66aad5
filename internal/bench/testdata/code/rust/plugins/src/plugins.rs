use crate::registry::Plugin;

pub struct Echo;
#[derive(Default)]
pub struct Upper { prefix: String }

impl Plugin for Echo {
    fn name(&self) -> &str { "echo" }
    fn run(&self, input: &str) -> Result<String, String> { Ok(input.to_string()) }
}

impl Plugin for Upper {
    fn name(&self) -> &str { "upper" }
    fn run(&self, input: &str) -> Result<String, String> { self.check(input).map(|s| shout(s)) }
}

impl Upper { fn check<'a>(&self, s: &'a str) -> Result<&'a str, String> { if s.is_empty() { Err(self.describe()) } else { Ok(s) } } }
fn shout(s: &str) -> String { s.to_uppercase() }
