#[derive(Default)]
pub struct Report {
    lines: Vec<Line>,
}

struct Line(String);

impl Line {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl Report {
    pub fn add(&mut self, text: &str) -> &mut Self {
        self.lines.push(Line(clean(text)));
        self
    }

    pub fn finish(&self) -> usize {
        let first = self.lines.first().unwrap();
        first.len();
        let mut n = 0;
        for line in &self.lines {
            n += line.len();
        }
        if let Some(line) = self.lines.get(1) {
            n += line.len();
        }
        self.lines.iter().map(|l| l.len()).sum::<usize>() + n
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        print(self);
    }
}

pub fn print(report: &Report) {
    println!("{} {}", report.finish(), format_number(1.0));
}

pub fn format_number(n: f64) -> String {
    n.to_string()
}

fn clean(text: &str) -> String {
    text.trim().to_string()
}
