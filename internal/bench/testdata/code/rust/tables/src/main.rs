use std::collections::{BTreeMap, HashMap};

type Handler = fn(&[&str]) -> i32;

struct Command {
    name: &'static str,
    run: Handler,
}

const COMMANDS: &[Command] = &[
    Command { name: "ls", run: list },
    Command { name: "rm", run: remove },
];

fn list(_: &[&str]) -> i32 { 0 }
fn remove(_: &[&str]) -> i32 { 1 }
fn copy(_: &[&str]) -> i32 { 2 }
fn help(_: &[&str]) -> i32 { 3 }

fn dispatch(name: &str) -> i32 {
    for c in COMMANDS {
        if c.name == name {
            return (c.run)(&[]);
        }
    }
    match COMMANDS.iter().find(|c| c.name == "ls") {
        Some(c) => (c.run)(&[]),
        None => -1,
    }
}

fn main() {
    dispatch("ls");
    let mut map: HashMap<&str, Handler> = HashMap::new();
    map.insert("cp", copy);
    map["cp"](&[]);
    if let Some(f) = map.get("cp") {
        f(&[]);
    }
    let tree: BTreeMap<&str, Handler> = BTreeMap::from([("help", help as Handler)]);
    for (_, f) in &tree {
        f(&[]);
    }
    let fs = vec![list, remove];
    fs[0](&[]);
}
