package store

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestVectorsRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors.db")
	v, err := OpenVectors(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := v.Model(t.Context(), "tiny", "h1", 3, testTime)
	if err != nil {
		t.Fatal(err)
	}
	put := []Vector{{1, "a", []float32{1, 0, 0}}, {2, "b", []float32{0, 0.5, -0.5}}, {3, "c", []float32{0, 0, 1}}}
	if err := v.Put(t.Context(), m.ID, OwnerMemory, put, nil, 7); err != nil {
		t.Fatal(err)
	}
	if err := v.Put(t.Context(), m.ID, OwnerMemory, []Vector{{1, "a2", []float32{0, 1, 0}}}, []int64{3}, 9); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if v, err = OpenVectors(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if m, err = v.Model(t.Context(), "tiny", "h1", 3, testTime); err != nil || m.Position != 9 {
		t.Errorf("%+v %v", m, err)
	}
	var got []Vector
	if err := v.Each(t.Context(), m, OwnerMemory, func(x Vector) error { got = append(got, x); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Vector{{1, "a2", []float32{0, 1, 0}}, {2, "b", []float32{0, 0.5, -0.5}}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	texts, err := v.Texts(t.Context(), m.ID, OwnerMemory, []int64{1, 2, 3})
	if diff := cmp.Diff(map[int64]string{1: "a2", 2: "b"}, texts); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	other, err := v.Model(t.Context(), "tiny", "h2", 3, testTime)
	if err != nil || other.ID == m.ID || other.Position != 0 {
		t.Errorf("another model: %+v %v", other, err)
	}
	if err := v.Forget(t.Context(), other.ID); err != nil {
		t.Fatal(err)
	}
	if m, err = v.Model(t.Context(), "tiny", "h1", 3, testTime); err != nil || m.Position != 0 {
		t.Errorf("forgotten and made anew: %+v %v", m, err)
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
			if m, err := v.Model(t.Context(), "tiny", "h1", 3, testTime); err != nil || m.Position != 0 {
				t.Errorf("%+v %v", m, err)
			}
		})
	}
}

func TestVectorOfAnotherLengthIsDamage(t *testing.T) {
	v, err := OpenVectors(t.Context(), filepath.Join(t.TempDir(), "vectors.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	m, err := v.Model(t.Context(), "tiny", "h1", 3, testTime)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Put(t.Context(), m.ID, OwnerMemory, []Vector{{1, "a", []float32{1}}}, nil, 1); err != nil {
		t.Fatal(err)
	}
	if err := v.Each(t.Context(), m, OwnerMemory, func(Vector) error { return nil }); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
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
