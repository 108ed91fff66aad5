package keyword

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// A segment file is
//
//	magic, version u32
//	sections
//	section table: { kind u32, leaf u32, offset u64, size u64, crc u32 }*
//	table offset u64, table size u32, table crc u32, end magic
//
// with everything little-endian. It holds one leaf per role: documents sorted
// by id, ordinals counted from zero, and their own statistics. The table comes
// last so that a segment is written in one pass.
const (
	segmentMagic    = "chittakw"
	segmentEndMagic = "kwattihc"
	segmentVersion  = 1
	segmentHead     = len(segmentMagic) + 4
	segmentFoot     = 8 + 4 + 4 + len(segmentEndMagic)
	sectionEntry    = 4 + 4 + 8 + 8 + 4

	// maxRoles bounds the roles of an index, and with them the leaves of a
	// segment: they are few by nature, and statistics per role mean nothing
	// when they are not.
	maxRoles = 256
)

type sectionKind uint32

const (
	sectionMeta sectionKind = iota
	sectionIDs
	sectionTimes
	sectionLengths
	sectionLabels
	sectionPostings
	sectionDict
	sectionKinds
)

// leafDocs are the documents of one role, sorted by id.
type leafDocs struct {
	role    string
	ids     []uint64
	times   []uint64 // ordered, see orderedTime
	lengths [][]byte // length codes by field and document
}

// leafTerms hands the terms of one field to emit in ascending order, each with
// its postings in ascending order. Empty lists are left out by the writer.
type leafTerms func(field int, emit func(term []byte, list []posting) error) error

type segmentWriter struct {
	file   outFile
	w      *bufio.Writer
	off    uint64
	crc    uint32
	start  uint64
	table  []byte
	enc    postingsEncoder
	buf    []byte
	leaves uint32
}

func newSegmentWriter(file outFile) *segmentWriter {
	w := &segmentWriter{file: file, w: bufio.NewWriterSize(file, 256<<10)}
	head := binary.LittleEndian.AppendUint32([]byte(segmentMagic), segmentVersion)
	_, _ = w.w.Write(head) // bufio keeps the error for Flush
	w.off = uint64(len(head))
	return w
}

func (w *segmentWriter) write(b []byte) error {
	w.crc = crc32.Update(w.crc, castagnoli(), b)
	w.off += uint64(len(b))
	_, err := w.w.Write(b)
	return err
}

func (w *segmentWriter) begin() { w.start, w.crc = w.off, 0 }

func (w *segmentWriter) end(kind sectionKind) {
	le := binary.LittleEndian
	w.table = le.AppendUint32(w.table, uint32(kind))
	w.table = le.AppendUint32(w.table, w.leaves)
	w.table = le.AppendUint64(w.table, w.start)
	w.table = le.AppendUint64(w.table, w.off-w.start)
	w.table = le.AppendUint32(w.table, w.crc)
}

func (w *segmentWriter) section(kind sectionKind, b []byte) error {
	w.begin()
	err := w.write(b)
	w.end(kind)
	return err
}

// leaf writes all sections of one role.
func (w *segmentWriter) leaf(docs leafDocs, names []string, ords func(string) []uint32, terms leafTerms) error {
	n := len(docs.ids)
	if n == 0 {
		return nil
	}
	if err := w.section(sectionIDs, appendColumn(nil, docs.ids)); err != nil {
		return err
	}
	if err := w.section(sectionTimes, appendColumn(nil, docs.times)); err != nil {
		return err
	}
	w.begin()
	for _, codes := range docs.lengths {
		if err := w.write(codes); err != nil {
			return err
		}
	}
	w.end(sectionLengths)
	if err := w.section(sectionLabels, appendLabels(nil, names, ords, n)); err != nil {
		return err
	}
	return w.terms(docs, terms)
}

// terms writes postings while the dictionaries grow in memory, then those.
func (w *segmentWriter) terms(docs leafDocs, terms leafTerms) error {
	meta := appendBytes(nil, []byte(docs.role))
	meta = binary.AppendUvarint(meta, uint64(len(docs.ids)))
	meta = binary.AppendUvarint(meta, uint64(len(docs.lengths)))
	var dicts []byte
	w.begin()
	for field, codes := range docs.lengths {
		var d dictWriter
		err := terms(field, func(term []byte, list []posting) error {
			if len(list) == 0 {
				return nil
			}
			w.buf = w.enc.encode(w.buf[:0], list, codes)
			d.add(term, len(list), len(w.buf))
			return w.write(w.buf)
		})
		if err != nil {
			return err
		}
		if uint64(len(d.buf)) >= 1<<32 {
			return errors.New("dictionary is over 4 GiB")
		}
		var nonEmpty, total uint64
		for _, c := range codes {
			if c > 0 {
				nonEmpty++
				total += uint64(codedLength(c))
			}
		}
		for _, v := range []uint64{nonEmpty, total, uint64(d.count), uint64(len(d.buf)), d.offset} {
			meta = binary.AppendUvarint(meta, v)
		}
		dicts = append(append(dicts, d.buf...), d.index...)
	}
	if err := w.write(make([]byte, postingsPad)); err != nil {
		return err
	}
	w.end(sectionPostings)
	if err := w.section(sectionDict, dicts); err != nil {
		return err
	}
	if err := w.section(sectionMeta, meta); err != nil {
		return err
	}
	w.leaves++
	return nil
}

// finish writes the table, syncs and closes the file.
func (w *segmentWriter) finish() (size uint64, tableCRC uint32, err error) {
	tableCRC = checksum(w.table)
	foot := binary.LittleEndian.AppendUint64(nil, w.off)
	foot = binary.LittleEndian.AppendUint32(foot, uint32(len(w.table)))
	foot = binary.LittleEndian.AppendUint32(foot, tableCRC)
	foot = append(foot, segmentEndMagic...)
	if err := w.write(append(w.table, foot...)); err != nil {
		return 0, 0, err
	}
	if err := w.w.Flush(); err != nil {
		return 0, 0, err
	}
	if err := w.file.Sync(); err != nil {
		return 0, 0, err
	}
	return w.off, tableCRC, nil
}
