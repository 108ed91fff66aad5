package embed

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// The container is a model in one file, the large tensors as 8-bit integers
// with one scale per group of a row:
//
//	magic     8 bytes
//	version   uint32
//	length    uint32, of the header
//	header    JSON: containerHeader
//	sections  each aligned to sectionAlign
//	checksum  uint32, CRC-32C of everything before it
//
// All numbers are little-endian.
const (
	containerMagic    = "CHITTAEM"
	containerVersion  = 1
	containerPreamble = len(containerMagic) + 8
	sectionAlign      = 64
	maxContainerHead  = 1 << 20
	checksumBytes     = 4
)

type containerHeader struct {
	ID        string            `json:"id"`
	Hash      string            `json:"hash"` // of all sections and this header without the hash
	Config    config            `json:"config"`
	Tokenizer tokenizerSettings `json:"tokenizer"`
	Vocab     section           `json:"vocab"`
	Tensors   []containerTensor `json:"tensors"`
}

// section is a place in the file, counted from the end of the header.
type section struct {
	Offset int64 `json:"offset"`
	Length int64 `json:"length"`
}

type containerTensor struct {
	Name   string  `json:"name"`
	Type   string  `json:"type"`
	Shape  []int64 `json:"shape"`
	Data   section `json:"data"`
	Scales section `json:"scales,omitzero"` // with type I8: float32, one per group of each row
	Group  int64   `json:"group,omitzero"`  // columns that share a scale
}

// container is an opened file: its header, checked.
type container struct {
	file   string
	r      io.ReaderAt
	size   int64
	base   int64
	header containerHeader
	index  map[string]int
}

// openContainer reads the header only; verify and the tensors read the rest.
func openContainer(file string, r io.ReaderAt, size int64) (*container, error) {
	head := make([]byte, containerPreamble)
	if size < int64(len(head)+checksumBytes) {
		return nil, fileErr(file, "header", ErrTruncated, "%d bytes", size)
	}
	if err := readFull(file, r, head, 0); err != nil {
		return nil, err
	}
	if string(head[:len(containerMagic)]) != containerMagic {
		return nil, fileErr(file, "header", ErrMalformed, "not a file of weights")
	}
	if v := binary.LittleEndian.Uint32(head[len(containerMagic):]); v != containerVersion {
		return nil, fileErr(file, "header", ErrUnsupported, "version %d, only %d", v, containerVersion)
	}
	n := int64(binary.LittleEndian.Uint32(head[len(containerMagic)+4:]))
	if n > maxContainerHead {
		return nil, fileErr(file, "header", ErrTooLarge, "%d bytes", n)
	}
	if n > size-int64(len(head)+checksumBytes) {
		return nil, fileErr(file, "header", ErrTruncated, "%d bytes in a file of %d", n, size)
	}
	raw := make([]byte, n)
	if err := readFull(file, r, raw, int64(len(head))); err != nil {
		return nil, err
	}
	c := &container{file: file, r: r, size: size, base: int64(up(len(head)+int(n), sectionAlign)), index: map[string]int{}}
	if err := json.Unmarshal(raw, &c.header); err != nil {
		return nil, fileErr(file, "header", ErrMalformed, "%v", err)
	}
	return c, c.check()
}

func (c *container) check() error {
	if err := c.header.Config.check(c.file); err != nil {
		return err
	}
	if err := c.within("vocab", c.header.Vocab); err != nil {
		return err
	}
	for i, t := range c.header.Tensors {
		if _, dup := c.index[t.Name]; dup {
			return fileErr(c.file, t.Name, ErrDuplicate, "")
		}
		c.index[t.Name] = i
		shape, count, err := checkShape(t.Shape)
		if err != nil || len(shape) == 0 {
			return fileErr(c.file, t.Name, ErrShape, "%v", t.Shape)
		}
		w := int64(width(t.Type))
		if w == 0 {
			return fileErr(c.file, t.Name, ErrUnsupported, "type %q", t.Type)
		}
		if t.Data.Length != count*w {
			return fileErr(c.file, t.Name, ErrShape, "%v of %s in %d bytes", shape, t.Type, t.Data.Length)
		}
		if err := c.within(t.Name, t.Data); err != nil {
			return err
		}
		if t.Type != i8 {
			continue
		}
		if len(shape) != 2 || t.Group < 1 || t.Group > maxIntermediate || count == 0 ||
			t.Scales.Length != int64(shape[0]*groups(shape[1], int(t.Group)))*float32Size {
			return fileErr(c.file, t.Name, ErrShape, "%v with %d bytes of scales in groups of %d", shape, t.Scales.Length, t.Group)
		}
		if err := c.within(t.Name, t.Scales); err != nil {
			return err
		}
	}
	return nil
}

func (c *container) within(name string, s section) error {
	room := c.size - c.base - checksumBytes
	if s.Offset < 0 || s.Length < 0 || s.Offset > room || s.Length > room-s.Offset {
		return fileErr(c.file, name, ErrTruncated, "%d bytes at %d of %d", s.Length, s.Offset, room)
	}
	return nil
}

// verify compares the checksum.
func (c *container) verify() error {
	var tail [checksumBytes]byte
	if err := readFull(c.file, c.r, tail[:], c.size-checksumBytes); err != nil {
		return err
	}
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	if _, err := io.Copy(sum, io.NewSectionReader(c.r, 0, c.size-checksumBytes)); err != nil {
		return &FileError{File: c.file, Err: err}
	}
	if sum.Sum32() != binary.LittleEndian.Uint32(tail[:]) {
		return fileErr(c.file, "", ErrChecksum, "")
	}
	return nil
}

func (c *container) has(name string) bool { _, ok := c.index[name]; return ok }

func (c *container) tensor(name string) (*tensor, error) {
	i, ok := c.index[name]
	if !ok {
		return nil, fileErr(c.file, name, ErrMissing, "")
	}
	e := c.header.Tensors[i]
	shape, _, _ := checkShape(e.Shape)
	t := &tensor{file: c.file, name: name, dtype: e.Type, shape: shape, r: c.r, off: c.base + e.Data.Offset}
	if e.Type != i8 {
		return t, nil
	}
	raw := make([]byte, e.Scales.Length)
	if err := readFull(c.file, c.r, raw, c.base+e.Scales.Offset); err != nil {
		return nil, err
	}
	t.group = int(e.Group)
	t.scales = make([]float32, len(raw)/float32Size)
	for i := range t.scales {
		t.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[float32Size*i:]))
	}
	return t, t.checkFinite(t.scales)
}

func (c *container) tokenizer() (*tokenizer, error) {
	raw := make([]byte, c.header.Vocab.Length)
	if err := readFull(c.file, c.r, raw, c.base+c.header.Vocab.Offset); err != nil {
		return nil, err
	}
	entries, err := splitVocab(raw)
	if err != nil {
		return nil, fileErr(c.file, "vocab", ErrTooLarge, "%v", err)
	}
	if len(entries) > c.header.Config.Vocab {
		return nil, fileErr(c.file, "vocab", ErrShape, "%d entries, want at most %d", len(entries), c.header.Config.Vocab)
	}
	return newTokenizer(c.file, entries, c.header.Tokenizer)
}

// load verifies the file and makes it ready for k. The table of words stays
// where it is and must remain readable.
func (c *container) load(k *kernel) (*brain, error) {
	if err := c.verify(); err != nil {
		return nil, err
	}
	tok, err := c.tokenizer()
	if err != nil {
		return nil, err
	}
	n, err := loadNet(c.header.Config, c, k)
	if err != nil {
		return nil, fmt.Errorf("load weights: %w", err)
	}
	return &brain{tok: tok, net: n}, nil
}

func (c *container) info(k *kernel, source string) Info {
	h := c.header
	return Info{
		ID: h.ID, Hash: h.Hash, Dims: h.Config.Hidden, MaxTokens: h.Config.maxTokens(),
		Pooling: h.Config.Pooling, Kernel: k.name, Source: source, QueryPrefix: h.Config.QueryPrefix,
	}
}
