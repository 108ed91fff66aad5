use std::convert::TryFrom;
use std::str::FromStr;

struct Celsius(f64);
struct Kelvin(f64);
struct Id(u32);
struct AppError;
struct ParseErr;

impl From<Celsius> for Kelvin { fn from(c: Celsius) -> Self { Kelvin(shift(c.0)) } }
impl From<ParseErr> for AppError { fn from(_: ParseErr) -> Self { note(); AppError } }
impl TryFrom<i64> for Id {
    type Error = ParseErr;
    fn try_from(n: i64) -> Result<Self, ParseErr> { if n < 0 { Err(ParseErr) } else { Ok(Id(n as u32)) } }
}
impl FromStr for Id {
    type Err = ParseErr;
    fn from_str(s: &str) -> Result<Id, ParseErr> { parse_id(s) }
}
impl Id { fn get(&self) -> u32 { self.0 } }
impl Kelvin { fn show(&self) {} }

fn shift(n: f64) -> f64 { n + 273.0 }
fn note() {}
fn parse_id(_: &str) -> Result<Id, ParseErr> { Err(ParseErr) }

fn load(s: &str) -> Result<u32, AppError> {
    let id = parse_id(s)?;
    Ok(id.get())
}

fn warm(k: impl Into<Kelvin>) { k.into().show(); }

fn main() {
    let k: Kelvin = Celsius(1.0).into();
    k.show();
    Kelvin::from(Celsius(2.0)).show();
    if let Ok(id) = Id::try_from(3) { id.get(); }
    let id: Result<Id, _> = "4".parse();
    let other = "5".parse::<Id>();
    if let (Ok(a), Ok(b)) = (id, other) { a.get(); b.get(); }
    load("6").ok();
    warm(Celsius(7.0));
}
