package store

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestVectorsRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors.db")
	v, err := OpenVectors(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := v.Model(t.Context(), "tiny", "h1", 3, "how to open it", testTime)
	if err != nil {
		t.Fatal(err)
	}
	put := []Vector{{1, "a", []float32{1, 0, 0}}, {2, "b", []float32{0, 0.6, -0.8}}, {3, "c", []float32{0, 0, 1}}}
	if err := v.Put(t.Context(), m.ID, OwnerMemory, put); err != nil {
		t.Fatal(err)
	}
	if err := v.Put(t.Context(), m.ID, OwnerMemory, []Vector{{1, "a2", []float32{0, 1, 0}}}); err != nil {
		t.Fatal(err)
	}
	if err := v.Remove(t.Context(), OwnerMemory, []int64{3}); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if v, err = OpenVectors(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	again, err := v.Model(t.Context(), "tiny", "h1", 3, "another way", testTime.Add(time.Hour))
	if err != nil || again.ID != m.ID || again.Setting != "another way" || !again.Created.Equal(m.Created) {
		t.Errorf("%+v, then %+v %v", m, again, err)
	}
	var got []Vector
	if err := v.Each(t.Context(), m, OwnerMemory, func(x Vector) error { got = append(got, x); return nil }); err != nil {
		t.Fatal(err)
	}
	want := []Vector{{1, "a2", []float32{0, 1, 0}}, {2, "b", decodeHalf(encodeHalf([]float32{0, 0.6, -0.8}))}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	texts, err := v.Texts(t.Context(), m.ID, OwnerMemory, []int64{1, 2, 3})
	if diff := cmp.Diff(map[int64]string{1: "a2", 2: "b"}, texts); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	other, err := v.Model(t.Context(), "tiny", "h2", 3, "", testTime)
	if err != nil || other.ID == m.ID {
		t.Errorf("another model: %+v %v", other, err)
	}
	if err := v.Forget(t.Context(), m.ID); err != nil {
		t.Fatal(err)
	}
	models, err := v.Models(t.Context())
	if diff := cmp.Diff([]VectorModel{other}, models); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if n, err := v.Count(t.Context(), m.ID); n != 0 || err != nil {
		t.Errorf("%d vectors of a forgotten model, %v", n, err)
	}
}

func TestDamagedVectorsAreReplaced(t *testing.T) {
	for name, content := range map[string]string{
		"text":   strings.Repeat("this is not a database\n", 400),
		"header": "SQLite format 3\x00" + strings.Repeat("\xff", 8000),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vectors.db")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			v, err := OpenVectors(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if models, err := v.Models(t.Context()); err != nil || len(models) > 0 {
				t.Errorf("%+v %v", models, err)
			}
		})
	}
}

// TestUnsoundVectorsArePassedOver holds that a vector which cannot be right is
// as good as none: its row gets another.
func TestUnsoundVectorsArePassedOver(t *testing.T) {
	v, err := OpenVectors(t.Context(), filepath.Join(t.TempDir(), "vectors.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	m, err := v.Model(t.Context(), "tiny", "h1", 3, "", testTime)
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	put := []Vector{{1, "short", []float32{1}}, {2, "zero", []float32{0, 0, 0}}, {3, "long", []float32{1, 1, 0}}, {4, "nan", []float32{nan, 0, 1}}, {5, "right", []float32{0, 0, 1}}}
	if err := v.Put(t.Context(), m.ID, OwnerMemory, put); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := v.Each(t.Context(), m, OwnerMemory, func(x Vector) error { got = append(got, x.Text); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"right"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestVectorsNoticeWhatHappensToTheirFile harms the file while it is open.
func TestVectorsNoticeWhatHappensToTheirFile(t *testing.T) {
	open := func(t *testing.T) (*Vectors, string) {
		path := filepath.Join(t.TempDir(), "vectors.db")
		v, err := OpenVectors(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		if v.Lost() {
			t.Error("lost from the start")
		}
		if err := v.Check(t.Context()); err != nil {
			t.Error(err)
		}
		return v, path
	}
	t.Run("removed", func(t *testing.T) {
		v, path := open(t)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if !v.Lost() {
			t.Error("not noticed")
		}
	})
	t.Run("replaced", func(t *testing.T) {
		v, path := open(t)
		if err := errors.Join(os.Rename(path, path+".away"), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if !v.Lost() {
			t.Error("not noticed")
		}
	})
	t.Run("overwritten", func(t *testing.T) {
		v, path := open(t)
		m, err := v.Model(t.Context(), "tiny", "h1", 512, "", testTime)
		if err != nil {
			t.Fatal(err)
		}
		unit := make([]float32, 512)
		unit[0] = 1
		var put []Vector
		for i := range int64(2000) {
			put = append(put, Vector{i, "hash", unit})
		}
		if err := v.Put(t.Context(), m.ID, OwnerMemory, put); err != nil {
			t.Fatal(err)
		}
		if err := v.Remove(t.Context(), OwnerMemory, []int64{0}); err != nil { // folds the log into the file
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt(bytes.Repeat([]byte{0xff}, len(data)/2), int64(len(data)/4)); err != nil {
			t.Fatal(err)
		}
		if err := v.Check(t.Context()); !errors.Is(err, ErrVectorsDamaged) {
			t.Errorf("check: %v", err)
		}
		err = v.Each(t.Context(), m, OwnerMemory, func(Vector) error { return nil })
		if !errors.Is(err, ErrVectorsDamaged) {
			t.Errorf("reading: %v", err)
		}
	})
}

// TestHalf holds that a value of a unit vector survives to within half a unit
// in the last place, and that encoding twice changes nothing.
func TestHalf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float32Range(-1, 1).Draw(t, "x")
		y := fromHalf(toHalf(x))
		if d := math.Abs(float64(x - y)); d > math.Abs(float64(x))/2048+1.0/(1<<25) {
			t.Fatalf("%v became %v", x, y)
		}
		if toHalf(y) != toHalf(x) {
			t.Fatalf("%v changes again", y)
		}
	})
	for h := range 1 << 16 {
		if f := fromHalf(uint16(h)); !math.IsNaN(float64(f)) && toHalf(f) != uint16(h) {
			t.Fatalf("%#04x became %#04x by way of %v", h, toHalf(f), f)
		}
	}
	if !bytes.Equal(encodeHalf([]float32{1, -2, 0.5}), []byte{0, 0x3c, 0, 0xc0, 0, 0x38}) {
		t.Errorf("%x", encodeHalf([]float32{1, -2, 0.5}))
	}
}
