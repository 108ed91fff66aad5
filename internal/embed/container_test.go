package embed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// reseal corrects the checksum of a changed container.
func reseal(b []byte) []byte {
	body := b[:len(b)-checksumBytes]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

func convertTiny(t testing.TB, m *tiny) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "out.int8")
	var report bytes.Buffer
	if err := Convert(t.Context(), []string{m.write(t), file, "tiny"}, &report); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(report.String(), "tiny") {
		t.Errorf("report %q", report.String())
	}
	return file
}

func readFile(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func loadContainer(b []byte, k *kernel) (*container, *brain, error) {
	c, err := openContainer("out.int8", bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, nil, err
	}
	brain, err := c.load(k)
	return c, brain, err
}

func TestContainer(t *testing.T) {
	m := newTiny(smallConfig(), f16)
	m.config.QueryPrefix = "query: "
	m.files["config_sentence_transformers.json"] = []byte(`{"prompts":{"query":"query: ","document":""}}`)
	file := convertTiny(t, m)
	b := readFile(t, file)
	if again := readFile(t, convertTiny(t, m)); !bytes.Equal(b, again) {
		t.Error("one folder, two containers")
	}
	tok, ref := testTokenizer(t), m.reference()
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			c, brain, err := loadContainer(b, k)
			if err != nil {
				t.Fatal(err)
			}
			info := c.info(k, SourceBuiltin)
			if info.ID != "tiny" || len(info.Hash) != 64 || info.QueryPrefix != "query: " || info.Dims != 24 {
				t.Errorf("%+v", info)
			}
			h := newLocal(info, nil).open()
			h.l.brain = brain
			texts := testTexts()
			got, err := h.Embed(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range texts {
				if cos := cosine(got[i], ref.embed(tok.encode(nil, s, DefaultMaxTokens))); cos < 0.9995 {
					t.Errorf("%.20q: cosine %v", s, cos)
				}
			}
		})
	}
}

func TestContainerDamage(t *testing.T) {
	good := readFile(t, convertTiny(t, newTiny(smallConfig(), f32)))
	change := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte {
			if len(old) != len(new) || !bytes.Contains(b, []byte(old)) {
				t.Fatalf("cannot replace %q", old)
			}
			return reseal(bytes.Replace(b, []byte(old), []byte(new), 1))
		}
	}
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte
		want   error
	}{
		{"empty", func([]byte) []byte { return nil }, ErrTruncated},
		{"only magic", func(b []byte) []byte { return b[:8] }, ErrTruncated},
		{"cut in the header", func(b []byte) []byte { return b[:200] }, ErrTruncated},
		{"cut in the data", func(b []byte) []byte { return b[:len(b)-5000] }, ErrTruncated},
		{"one byte short", func(b []byte) []byte { return reseal(b[:len(b)-1]) }, ErrTruncated},
		{"other magic", func(b []byte) []byte { return append([]byte("X"), b[1:]...) }, ErrMalformed},
		{"other version", func(b []byte) []byte { b[8]++; return b }, ErrUnsupported},
		{"huge header", func(b []byte) []byte { b[15] = 255; return b }, ErrTooLarge},
		{"bit flipped", func(b []byte) []byte { b[len(b)-3000] ^= 4; return b }, ErrChecksum},
		{"checksum flipped", func(b []byte) []byte { b[len(b)-1] ^= 4; return b }, ErrChecksum},
		{"header is no JSON", change(`{"id":`, `["id":`), ErrMalformed},
		{"config", change(`"hidden":24`, `"hidden":25`), ErrUnsupported},
		{"shape", change(`"shape":[37,24]`, `"shape":[36,24]`), ErrShape},
		{"type", change(`"type":"I8"`, `"type":"X8"`), ErrUnsupported},
		{"group", change(`"group":64`, `"group":-4`), ErrShape},
		{"missing tensor", change(`"name":"embeddings.LayerNorm.bias"`, `"name":"embeddings.LayerNorm.bios"`), ErrMissing},
		{"twice", change(`"name":"encoder.layer.1.output.dense.bias"`, `"name":"encoder.layer.0.output.dense.bias"`), ErrDuplicate},
		{"tensor outside", func(b []byte) []byte {
			const field = `"data":{"offset":`
			b[bytes.Index(b, []byte(field))+len(field)] = '-'
			return reseal(b)
		}, ErrTruncated},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := loadContainer(c.damage(bytes.Clone(good)), &portable)
			var fe *FileError
			if !errors.Is(err, c.want) || !errors.As(err, &fe) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

// FuzzContainer takes header and data apart, and puts the lengths and the
// checksum right, or nothing behind them would be reached.
func FuzzContainer(f *testing.F) {
	good := readFile(f, convertTiny(f, newTiny(config{Hidden: 4, Layers: 1, Heads: 2, Intermediate: 4, Positions: 8, Types: 1, Eps: 1e-12}, f32)))
	n := containerPreamble + int(binary.LittleEndian.Uint32(good[12:]))
	head, data := good[containerPreamble:n], good[up(n, sectionAlign):len(good)-checksumBytes]
	f.Add(head, data)
	f.Add([]byte(`{"id":"x"}`), []byte{})
	f.Fuzz(func(t *testing.T, head, data []byte) {
		b := append(bytes.Clone(good[:12]), 0, 0, 0, 0)
		binary.LittleEndian.PutUint32(b[12:], uint32(len(head)))
		b = append(b, head...)
		b = append(b, make([]byte, up(len(b), sectionAlign)-len(b))...)
		b = append(append(b, data...), make([]byte, checksumBytes)...)
		_, brain, err := loadContainer(reseal(b), &portable)
		if err != nil {
			var fe *FileError
			if !errors.As(err, &fe) {
				t.Errorf("untyped error %v", err)
			}
			return
		}
		ids := brain.tok.encode(nil, "the walk", brain.net.maxTokens())
		if _, err := brain.net.forward(t.Context(), [][]int32{ids}); err != nil && !errors.Is(err, ErrBadVector) {
			t.Error(err)
		}
	})
}

func TestConvertErrors(t *testing.T) {
	dir := newTiny(smallConfig(), f32).write(t)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"no arguments", nil},
		{"too many", []string{"a", "b", "c", "d"}},
		{"no folder", []string{filepath.Join(dir, "none"), filepath.Join(t.TempDir(), "out")}},
		{"no place", []string{dir, filepath.Join(t.TempDir(), "none", "out")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := Convert(t.Context(), c.args, new(bytes.Buffer)); err == nil {
				t.Error("no error")
			}
		})
	}
}
