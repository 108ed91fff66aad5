use std::cmp::Ordering;
use std::ops::*;

#[derive(Clone, Copy)]
struct V(i32);

impl Add for V { type Output = V; fn add(self, o: V) -> V { V(self.0 + o.0) } }
impl Sub<i32> for V { type Output = V; fn sub(self, o: i32) -> V { V(self.0 - o) } }
impl Mul<V> for i32 { type Output = V; fn mul(self, o: V) -> V { V(self * o.0) } }
impl Not for V { type Output = bool; fn not(self) -> bool { self.0 == 0 } }
impl AddAssign for V { fn add_assign(&mut self, o: V) { self.0 += o.0; } }
impl PartialEq for V { fn eq(&self, o: &V) -> bool { self.0 == o.0 } }
impl PartialOrd for V { fn partial_cmp(&self, o: &V) -> Option<Ordering> { self.0.partial_cmp(&o.0) } }

struct Grid { cells: Vec<V> }
impl Index<usize> for Grid { type Output = V; fn index(&self, i: usize) -> &V { &self.cells[i] } }
impl IndexMut<usize> for Grid { fn index_mut(&mut self, i: usize) -> &mut V { &mut self.cells[i] } }
impl Shl<V> for &mut Grid { type Output = (); fn shl(self, v: V) { self.cells.push(v); } }

impl V { fn show(&self) {} }

fn main() {
    let a = V(1);
    let b = a + V(2);
    (b - 1).show();
    (2 * b).show();
    let _ = !a;
    let mut c = a;
    c += b;
    if a == b {}
    if a < b {}
    let mut g = Grid { cells: vec![a] };
    g[0].show();
    g[0] = b;
    &mut g << c;
}
