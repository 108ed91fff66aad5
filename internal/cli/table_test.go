package cli

import (
	"strings"
	"testing"
)

func TestColumnsFitTheLine(t *testing.T) {
	long := "/home/ada/work/" + strings.Repeat("deep/", 30) + "shop"
	heading := func() []string { return []string{"id", "project", ">messages", "title"} }
	for _, tt := range []struct {
		name string
		row  []string
		line int
		want string
	}{
		{"no terminal", []string{"5c0ffee0", long, "8", "Mend it"}, 0, "5c0ffee0  " + long + "         8  Mend it"},
		{"room enough", []string{"5c0ffee0", "shop", "8", "Mend it"}, 80, "5c0ffee0  shop            8  Mend it"},
		{"a path is cut in the middle", []string{"5c0ffee0", long, "8", "Mend it"}, 60, "5c0ffee0  /home/ada/…/deep/deep/deep/shop         8  Mend it"},
		{"a title at its end", []string{"5c0ffee0", "shop", "8", "Mend the login and/or the clock"}, 50, "5c0ffee0  shop            8  Mend the login and/o…"},
		{"the widest first", []string{"5c0ffee0", long, "8", strings.Repeat("x", 200)}, 80, "5c0ffee0  /home/ada…deep/deep/deep/shop         8  " + strings.Repeat("x", 28) + "…"},
		{"ids stay whole though nothing fits", []string{"m_9j84667yxdpy814w", "p_whg8wkbxd9tzhvvf", "8", "Mend it"}, 10, "m_9j84667yxdpy814w  p_whg8wkbxd9tzhvvf         8  Mend it"},
		{"wide characters", []string{"5c0ffee0", "店", "8", strings.Repeat("日本", 20)}, 52, "5c0ffee0  店              8  日本日本日本日本日本日…"},
		{"lines, controls, no UTF-8", []string{"a\nb", "\x1b[2J", "8", "\xff"}, 80, "a b  ␛[2J            8  \ufffd"},
		{"empty", []string{"", "", "", ""}, 80, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := columns([][]string{heading(), tt.row}, tt.line)[1]
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestShortenedIsNeverTooLong(t *testing.T) {
	for _, s := range []string{"", "/", "/a/b", "日本/日本", "👩‍💻/👩‍💻/x", "e\u0301e\u0301e\u0301", strings.Repeat("/x", 500), strings.Repeat("字", 500)} {
		for most := 1; most < 40; most++ {
			if got := shortened(s, most); cells(got) > most {
				t.Errorf("shortened(%.20q, %d) = %q, %d cells", s, most, got, cells(got))
			}
		}
	}
}
