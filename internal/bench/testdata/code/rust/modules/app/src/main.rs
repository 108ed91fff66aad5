use base_core::prelude::*;
use base_core::{self, size as measure, Describe};

mod run;

fn main() {
    let motor = base_core::make();
    motor.speed();
    let other = Motor::start(measure());
    other.speed();
    let level = High(3);
    level.value();
    Level::Low.value();
    run::all(&motor);
    serde_json::to_string("x");
    base_core::tools::size();
    base_core::motor!();
    let _: Vec<usize> = Vec::new();
}
