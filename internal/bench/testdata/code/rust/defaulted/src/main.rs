use std::fmt;

struct Settings { level: Level, inner: Inner }
struct Inner { n: u32 }
enum Level { Low, High }

impl Default for Settings {
    fn default() -> Self { Settings { level: Level::default(), inner: Default::default() } }
}
impl Default for Inner { fn default() -> Self { Inner { n: start() } } }
impl Default for Level { fn default() -> Level { Level::Low } }
fn start() -> u32 { 1 }

impl Clone for Inner {
    fn clone(&self) -> Self { note(); Inner { n: self.n } }
}
fn note() {}

#[derive(Default)]
struct Outer { settings: Settings }

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.text()) }
}
impl Level { fn text(&self) -> &str { match self { Level::Low => "l", Level::High => "h" } } }

fn get<T: Default>() -> T { T::default() }

fn main() {
    let s = Settings { level: Level::High, ..Default::default() };
    let c = s.inner.clone();
    let i: Inner = Default::default();
    let l = get::<Level>();
    l.text();
    let o = Outer::default();
    o.settings.level.text();
    let m = Some(c).unwrap_or_default();
    drop((i, m));
    let t = <Inner as Default>::default();
    t.clone();
}
