use std::collections::HashMap;
use std::rc::Rc;

type Handler = fn(&str) -> usize;

pub enum Event {
    Start(Job),
    Stop { job: Job, code: i32 },
    Idle,
}

#[derive(Clone)]
pub struct Job {
    name: String,
    parent: Option<Rc<Job>>,
}

impl Job {
    pub fn new(name: &str) -> Result<Job, String> {
        check(name)?;
        Ok(Job { name: name.to_string(), parent: None })
    }

    fn run(&self) -> usize {
        self.name.len()
    }

    fn root(&self) -> usize {
        match &self.parent {
            Some(p) => p.root(),
            None => self.run(),
        }
    }
}

fn check(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err(message("empty"));
    }
    Ok(())
}

fn message(text: &str) -> String {
    text.to_string()
}

impl Event {
    pub fn handle(&self) -> usize {
        match self {
            Event::Start(job) => job.run(),
            Event::Stop { job, code } if *code > 0 => job.root(),
            Self::Stop { job: j, .. } => j.run(),
            Event::Idle => idle(),
        }
    }
}

fn idle() -> usize {
    0
}

pub struct Machine {
    on_done: Box<dyn Fn(usize) -> usize>,
    handlers: HashMap<String, Handler>,
    jobs: HashMap<String, Job>,
}

impl Machine {
    pub fn new() -> Self {
        let mut handlers: HashMap<String, Handler> = HashMap::new();
        handlers.insert("len".to_string(), measure);
        Machine { on_done: Box::new(|n| finish(n)), handlers, jobs: HashMap::new() }
    }

    pub fn work(&mut self) -> usize {
        let job = Job::new("a").unwrap();
        let n = job.run();
        let copy = job.clone();
        copy.run();
        let event = Event::Start(copy);
        event.handle();
        for (_, j) in self.jobs.iter() {
            j.run();
        }
        for j in self.jobs.values() {
            j.root();
        }
        if let Some(j) = self.jobs.get("x") {
            j.run();
        }
        while let Ok(j) = Job::new("b") {
            j.run();
        }
        (self.on_done)(n)
    }
}

fn measure(text: &str) -> usize {
    text.len()
}

fn finish(n: usize) -> usize {
    n
}

pub fn apply<F>(f: F, n: usize) -> usize
where
    F: Fn(usize) -> usize,
{
    f(n)
}

pub fn each(jobs: &[Job], visit: impl Fn(&Job)) {
    for j in jobs {
        visit(j);
    }
}

pub fn adder(by: usize) -> impl Fn(usize) -> usize {
    move |n| n + offset(by)
}

fn offset(n: usize) -> usize {
    n
}

fn twice(n: usize) -> usize {
    n * 2
}

macro_rules! run_job {
    ($name:expr) => {
        start($name)
    };
}

fn start(name: &str) -> usize {
    name.len()
}

pub fn main() {
    apply(twice, 1);
    apply(|n| offset(n), 2);
    each(&[], |j| {
        j.run();
    });
    let add = adder(3);
    add(4);
    let local = |n: usize| twice(n);
    local(5);
    let f: fn(usize) -> usize = if true { twice } else { offset };
    f(6);
    run_job!("x");
    let names: Vec<String> = vec![message("a")];
    names.iter().map(|s| measure(s)).max();
    let jobs: Vec<Job> = Vec::new();
    jobs.iter().filter(|j| j.run() > 0).map(Job::root).count();
    let total = jobs.into_iter().enumerate().map(|(i, j)| i + j.root()).sum::<usize>();
    fn nested(n: usize) -> usize {
        twice(n)
    }
    nested(total);
    (|| idle())();
}
