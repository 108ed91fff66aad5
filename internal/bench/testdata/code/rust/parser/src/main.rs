use std::collections::HashMap;
use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq)]
enum Token { Num(f64), Op(char), Ident(String), Eof }

struct Lexer<'a> { chars: Peekable<Chars<'a>> }

impl<'a> Lexer<'a> {
    fn new(src: &'a str) -> Self { Lexer { chars: src.chars().peekable() } }

    fn next_token(&mut self) -> Result<Token, ParseError> {
        self.skip();
        match self.chars.peek().copied() {
            None => Ok(Token::Eof),
            Some(c) if c.is_ascii_digit() => Ok(self.number()),
            Some(c) if is_op(c) => { self.chars.next(); Ok(Token::Op(c)) }
            Some(c) => Err(ParseError::unexpected(c)),
        }
    }

    fn number(&mut self) -> Token { Token::Num(self.take_while(|c| c.is_ascii_digit()).parse().unwrap_or(0.0)) }
    fn skip(&mut self) { let _ = self.take_while(char::is_whitespace); }
    fn take_while<F: Fn(char) -> bool>(&mut self, f: F) -> String {
        let mut out = String::new();
        while let Some(&c) = self.chars.peek() {
            if !f(c) { break; }
            out.push(c);
            self.chars.next();
        }
        out
    }
}

fn is_op(c: char) -> bool { "+-*/".contains(c) }

#[derive(Debug)]
struct ParseError { message: String }
impl ParseError { fn unexpected(c: char) -> Self { ParseError { message: c.to_string() } } }
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "{}", self.message) }
}

trait Node { fn eval(&self, env: &Env) -> f64; fn boxed(self) -> Box<dyn Node> where Self: Sized + 'static { Box::new(self) } }
struct Num(f64);
struct Bin { op: fn(f64, f64) -> f64, left: Box<dyn Node>, right: Box<dyn Node> }
impl Node for Num { fn eval(&self, _: &Env) -> f64 { self.0 } }
impl Node for Bin { fn eval(&self, env: &Env) -> f64 { (self.op)(self.left.eval(env), self.right.eval(env)) } }

#[derive(Default)]
struct Env { vars: HashMap<String, f64>, hooks: Vec<Box<dyn Fn(&str)>> }
impl Env {
    fn get(&self, name: &str) -> Option<f64> {
        self.hooks.iter().for_each(|h| h(name));
        self.vars.get(name).copied()
    }
}

struct Parser<'a> { lexer: Lexer<'a>, current: Token }
impl<'a> Parser<'a> {
    fn new(src: &'a str) -> Result<Self, ParseError> {
        let mut lexer = Lexer::new(src);
        let current = lexer.next_token()?;
        Ok(Self { lexer, current })
    }
    fn advance(&mut self) -> Result<Token, ParseError> {
        let next = self.lexer.next_token()?;
        Ok(std::mem::replace(&mut self.current, next))
    }
    fn expr(&mut self) -> Result<Box<dyn Node>, ParseError> {
        let left = self.term()?;
        if let Token::Op(c) = self.current {
            self.advance()?;
            let right = self.expr()?;
            return Ok(Bin { op: operator(c), left, right }.boxed());
        }
        Ok(left)
    }
    fn term(&mut self) -> Result<Box<dyn Node>, ParseError> {
        match self.advance()? {
            Token::Num(n) => Ok(Num(n).boxed()),
            other => Err(fail(&other)),
        }
    }
}

fn fail(_: &Token) -> ParseError { ParseError::unexpected('?') }
fn operator(c: char) -> fn(f64, f64) -> f64 { match c { '+' => add, _ => mul } }
fn add(a: f64, b: f64) -> f64 { a + b }
fn mul(a: f64, b: f64) -> f64 { a * b }
fn trace(_: &str) {}

fn main() -> Result<(), ParseError> {
    let mut env = Env::default();
    env.hooks.push(Box::new(|n| trace(n)));
    let tree = Parser::new("1+2")?.expr()?;
    println!("{}", tree.eval(&env));
    env.get("x").unwrap_or_default();
    Ok(())
}
