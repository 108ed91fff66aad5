package resolve

import (
	"fmt"
	"strings"
	"testing"
)

// TestLateChangeOfALongTable: what stands at the end of a long table counts for
// files that use the table as what stands at its beginning.
func TestLateChangeOfALongTable(t *testing.T) {
	table := func(last string) string {
		var b strings.Builder
		b.WriteString("def one(): pass\ndef two(): pass\nTABLE = {\n")
		for i := range 2000 {
			fmt.Fprintf(&b, "    'a_key_with_a_long_name_%d': None,\n", i)
		}
		return b.String() + "    'last': " + last + ",\n}\n"
	}
	user := "from table import TABLE\ndef use():\n    TABLE['last']()\n"
	p := load(t, map[string]string{"table.py": table("one"), "user.py": user})
	wantCalls(t, calls(p), "use -> one [value]")
	put(t, p, "table.py", table("two"))
	p.Resolve()
	wantCalls(t, calls(p), "use -> two [value]")
}
