use base_core::Motor;

pub fn all(motor: &Motor) {
    motor.speed();
    one(motor, 1);
    crate::run::two();
}

fn one(m: &Motor, n: usize) -> usize {
    fn two() -> usize {
        2
    }
    m.speed() + two() + n
}

fn two() {}
