package store

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func meantVectors(t *testing.T, path string) *CodeVectors {
	t.Helper()
	v, err := OpenCodeVectors(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func unitVector(seed int) []float32 {
	v := make([]float32, 8)
	v[seed%8] = 1
	return v
}

func putMeantFiles(t *testing.T, v *CodeVectors, root string, gone []string, files ...MeantFile) []int64 {
	t.Helper()
	lost, err := v.PutFiles(t.Context(), root, files, gone)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lost)
	return lost
}

func meantIDs(t *testing.T, v *CodeVectors, root string) (ids []int64) {
	t.Helper()
	err := v.Each(t.Context(), root, 8, func(x CodeVector) error {
		if x.Kind == "" || x.Lang == "" || math.Abs(float64(x.Vector[x.ID%8])-1) > 0.01 {
			t.Errorf("%+v", x)
		}
		ids = append(ids, x.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	return ids
}

func TestCodeVectorsFollowTexts(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "codevectors.db")
	v := meantVectors(t, path)
	sym := func(id, text int64, rank int) MeantSymbol {
		return MeantSymbol{ID: id, Text: text, Rank: rank, Kind: "function", Lang: "go"}
	}
	file := MeantFile{Path: "a.go", Made: 7, Symbols: []MeantSymbol{sym(1, 10, 2), sym(2, 20, 0), sym(3, 30, 1)}}
	putMeantFiles(t, v, "/p", nil, file)
	putMeantFiles(t, v, "/q", nil, MeantFile{Path: "a.go", Made: 9, Symbols: []MeantSymbol{sym(9, 90, 0)}})
	if got, err := v.Wanting(ctx, "/p", 10); err != nil || !slices.Equal(got, []int64{2, 3, 1}) {
		t.Fatalf("wanting %v %v", got, err)
	}
	if got, err := v.Wanting(ctx, "/p", 2); err != nil || !slices.Equal(got, []int64{2, 3}) {
		t.Errorf("wanting within a bound %v %v", got, err)
	}
	put := []CodeVector{{ID: 1, Text: 10, Vector: unitVector(1)}, {ID: 2, Text: 20, Vector: unitVector(2)},
		{ID: 3, Text: 31, Vector: unitVector(3)}, {ID: 9, Text: 90, Vector: unitVector(9)}, {ID: 77, Text: 1, Vector: unitVector(7)}}
	if err := v.Put(ctx, put); err != nil {
		t.Fatal(err)
	}
	if got := meantIDs(t, v, "/p"); !slices.Equal(got, []int64{1, 2}) {
		t.Fatalf("stored %v: a vector of another text, or of nothing, was kept", got)
	}
	if err := v.Put(ctx, []CodeVector{{ID: 3, Text: 30}}); err != nil { // refused by the model
		t.Fatal(err)
	}
	if listed, have, err := v.Counts(ctx, "/p"); err != nil || listed != 3 || have != 3 {
		t.Errorf("%d of %d %v", have, listed, err)
	}

	// the same texts keep their vectors, also after the file is opened again
	v.Close()
	v = meantVectors(t, path)
	if lost := putMeantFiles(t, v, "/p", nil, file); len(lost) != 0 {
		t.Errorf("lost %v", lost)
	}
	if got, err := v.Wanting(ctx, "/p", 10); err != nil || len(got) != 0 {
		t.Errorf("wanting %v %v", got, err)
	}
	if marks, err := v.Marks(ctx, "/p"); err != nil || len(marks) != 1 || marks["a.go"] != 7 {
		t.Errorf("%v %v", marks, err)
	}
	// another text loses it, and so does what is gone
	file.Symbols = []MeantSymbol{sym(1, 11, 2), sym(3, 30, 0)}
	if lost := putMeantFiles(t, v, "/p", nil, file); !slices.Equal(lost, []int64{1, 2}) {
		t.Errorf("lost %v", lost)
	}
	if lost := putMeantFiles(t, v, "/p", []string{"a.go"}); !slices.Equal(lost, []int64{1, 3}) {
		t.Errorf("lost with the file %v", lost)
	}
	if got := meantIDs(t, v, "/q"); !slices.Equal(got, []int64{9}) {
		t.Errorf("another project has %v", got)
	}
	if err := v.Clear(ctx, "/q"); err != nil {
		t.Fatal(err)
	}
	if roots, err := v.Roots(ctx); err != nil || len(roots) != 0 {
		t.Errorf("%v %v", roots, err)
	}
}

func TestCodeVectorsAreBounded(t *testing.T) {
	ctx := t.Context()
	v := meantVectors(t, filepath.Join(t.TempDir(), "codevectors.db"))
	f := MeantFile{Path: "a.go", Made: 1}
	var put []CodeVector
	for i := range int64(10) {
		f.Symbols = append(f.Symbols, MeantSymbol{ID: i + 1, Text: i, Rank: int(10 - i), Kind: "function", Lang: "go"})
		put = append(put, CodeVector{ID: i + 1, Text: i, Vector: unitVector(int(i + 1))})
	}
	putMeantFiles(t, v, "/p", nil, f)
	if err := v.Put(ctx, put); err != nil {
		t.Fatal(err)
	}
	lost, err := v.Bound(ctx, "/p", 4)
	if err != nil || len(lost) != 6 {
		t.Fatalf("%v %v", lost, err)
	}
	if got := meantIDs(t, v, "/p"); !slices.Equal(got, []int64{7, 8, 9, 10}) {
		t.Errorf("left %v", got)
	}
	if got, err := v.Wanting(ctx, "/p", 4); err != nil || len(got) != 0 {
		t.Errorf("wanting %v %v", got, err)
	}
}

func TestCodeVectorsOfAnotherModelGo(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "codevectors.db")
	v := meantVectors(t, path)
	if key, err := v.Model(ctx); err != nil || key != "" {
		t.Fatalf("%q %v", key, err)
	}
	putMeantFiles(t, v, "/p", nil, MeantFile{Path: "a.go", Made: 1, Symbols: []MeantSymbol{{ID: 1, Text: 1, Kind: "function", Lang: "go"}}})
	for _, key := range []string{"one", "two"} {
		if err := v.Begin(ctx, key); err != nil {
			t.Fatal(err)
		}
		if have, err := v.Model(ctx); err != nil || have != key {
			t.Errorf("%q %v", have, err)
		}
		if got := meantIDs(t, v, "/p"); len(got) != 0 {
			t.Errorf("%s begins with %v", key, got)
		}
		if err := v.Put(ctx, []CodeVector{{ID: 1, Text: 1, Vector: unitVector(1)}}); err != nil {
			t.Fatal(err)
		}
	}
	if v.Lost() {
		t.Error("it is there")
	}
	// a file that is no database is replaced
	v.Close()
	if err := RemoveVectors(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no database at all, but long enough to look at"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := meantVectors(t, path)
	if key, err := again.Model(ctx); err != nil || key != "" {
		t.Errorf("%q %v", key, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if !again.Lost() {
		t.Error("it is gone")
	}
}
