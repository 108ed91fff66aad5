// Package lexer is a machine of functions that give the next one.
package lexer

import "iter"

type stateFn func(*Lexer) stateFn

// Lexer is the machine.
type Lexer struct {
	input  string
	tokens []Token
	state  stateFn
	on     map[rune]stateFn
}

// Token is a part of the input.
type Token struct{ text string }

// Print prints.
func (t Token) Print() {}

// New makes one.
func New(input string) *Lexer {
	l := &Lexer{input: input}
	l.on = map[rune]stateFn{' ': lexSpace}
	l.on['a'] = lexWord
	return l
}

// Run runs.
func (l *Lexer) Run() {
	for state := l.start(); state != nil; {
		state = state(l)
	}
	for l.state = lexText; l.state != nil; {
		l.state = l.state(l)
	}
}

func (l *Lexer) start() stateFn { return lexText }

func lexText(l *Lexer) stateFn {
	if next, ok := l.on[rune(l.input[0])]; ok {
		return next(l)
	}
	return lexWord
}

func lexWord(l *Lexer) stateFn {
	l.emit("word")
	return lexSpace
}

func lexSpace(l *Lexer) stateFn { return nil }

func (l *Lexer) emit(text string) { l.tokens = append(l.tokens, Token{text}) }

// Tokens goes over all.
func (l *Lexer) Tokens() iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for _, t := range l.tokens {
			if !yield(t) || l.done() {
				return
			}
		}
	}
}

func (l *Lexer) done() bool { return false }
