package capture

import "testing"

// TestDoes: what was left to do is closed by a turn that did it, and by nothing
// less.
func TestDoes(t *testing.T) {
	const migration = "Left to do: write the schema migration for the orders table"
	orders := []string{"migrations/0007_orders.sql"}
	alike := func(a, b string) (float64, bool) { return 0.9, true }
	tests := []struct {
		name   string
		open   string
		files  []string
		deed   Deed
		cosine func(a, b string) (float64, bool)
		want   bool
	}{
		{"asked for and changed", migration, nil, Deed{Asked: "Now write the schema migration for the orders table.", Files: orders}, nil, true},
		{"said to be done", migration, nil, Deed{Asked: "go on", Said: "The schema migration for the orders table is written.", Files: orders}, nil, true},
		{"asked for politely", migration, nil, Deed{Asked: "Could you write the schema migration of the orders table?", Files: orders}, nil, true},
		{"the same file", "Left to do: handle refunds in store/cart.go", nil, Deed{Asked: "handle the refunds now", Files: []string{"store/cart.go"}}, nil, true},
		{"the file it is about", "Left open: “refunds are not yet handled by checkout”", []string{"store/cart.go"}, Deed{Asked: "let checkout handle refunds", Files: []string{"store/cart.go"}}, nil, true},
		{"the same meaning and a run", "Left to do: deploy the exporter to staging", nil, Deed{Asked: "roll the exporter out on staging", Passed: true}, alike, true},
		{"besides something else that is open", migration, nil, Deed{Said: "The schema migration for the orders table is written.\n\nNext steps:\n- wire checkout", Open: []string{"Left to do: wire checkout"}, Files: orders}, nil, true},

		{"nothing was done", migration, nil, Deed{Asked: "Now write the schema migration for the orders table."}, alike, false},
		{"what ran last failed", migration, nil, Deed{Asked: "Now write the schema migration for the orders table.", Files: orders, Failed: true}, alike, false},
		{"something else was asked for", migration, nil, Deed{Asked: "Rename the customers table.", Files: []string{"migrations/0008.sql"}}, nil, false},
		{"another of its sort", "Left to do: add tests for the parser", nil, Deed{Asked: "add tests for the lexer", Files: []string{"lexer_test.go"}}, alike, false},
		{"another file", "Left to do: handle refunds in store/cart.go", nil, Deed{Asked: "handle refunds in web/cart.py", Files: []string{"web/cart.py"}}, alike, false},
		{"refused", migration, nil, Deed{Asked: "Do not write the schema migration for the orders table, only the docs.", Files: []string{"docs/a.md"}}, alike, false},
		{"a question", migration, nil, Deed{Asked: "Is the schema migration for the orders table written?", Files: []string{"notes.md"}}, alike, false},
		{"put off", migration, nil, Deed{Asked: "go on", Said: "The schema migration for the orders table comes later.", Files: []string{"docs/a.md"}}, alike, false},
		{"given up", migration, nil, Deed{Asked: "go on", Said: "I could not write the schema migration for the orders table.", Files: []string{"docs/a.md"}}, alike, false},
		{"listed as left to do again", migration, nil, Deed{Asked: "Fix the cart", Said: "Fixed.\n\n## Remaining\n- write the schema migration for the orders table", Files: []string{"cart.go"}}, alike, false},
		{"left open on the same line", migration, nil, Deed{Asked: "Fix the cart", Said: "Fixed. \nStill to do: write the schema migration for the orders table", Files: []string{"cart.go"}}, alike, false},
		{"it says itself that it is not", migration, nil, Deed{Asked: "write the schema migration for the orders table", Files: orders, Open: []string{migration}}, alike, false},
		{"too little to go by", "Left to do: tests", []string{"a.go"}, Deed{Asked: "tests", Files: []string{"a.go"}}, alike, false},
		{"close in meaning alone", "Left to do: rotate the signing keys of the gateway", nil, Deed{Asked: "deploy the dashboard on Friday", Passed: true}, alike, false},
		{"half of it, elsewhere", "Left to do: translate the report and the invoice into French", nil, Deed{Asked: "print the report", Files: []string{"report.go"}}, nil, false},
		{"empty", "", nil, Deed{}, nil, false},
		{"garbage", "\xff\x00", []string{"\x00"}, Deed{Asked: "\xff\x00", Files: []string{"\x00"}}, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cosine := tt.cosine
			if cosine == nil {
				cosine = func(a, b string) (float64, bool) { return 0, false }
			}
			if got := Does(tt.open, tt.files, tt.deed, cosine); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
