mod deep;
pub mod tools;

pub use deep::inner::Engine as Motor;
pub use tools::*;

pub mod prelude {
    pub use crate::deep::Level::{self, High, Low};
    pub use crate::Motor;
}

#[macro_export]
macro_rules! motor {
    () => {
        $crate::make()
    };
}

pub fn make() -> Motor {
    Motor::start(tools::size())
}
