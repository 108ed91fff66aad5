package keyword

import (
	"encoding/binary"
	"math"
	"sync/atomic"
)

// segment is an open segment file. It is immutable; what is deleted in it is
// kept outside, in the state that refers to it.
type segment struct {
	id       uint64
	size     uint64
	tableCRC uint32
	data     []byte
	unmap    func() error
	sections []section
	leaves   []*leaf
	refs     atomic.Int64
}

type section struct {
	kind sectionKind
	leaf uint32
	body []byte
	crc  uint32
}

// leaf is the part of a segment that holds one role.
type leaf struct {
	role     string
	docs     int
	ids      column
	times    column
	lengths  [][]byte
	labels   labelTable
	postings []byte
	fields   []dict
	stats    []fieldStats
}

// fieldStats are what BM25 needs to know of a field in a role.
type fieldStats struct {
	docs  uint64 // that have the field, deleted ones included
	total uint64 // sum of their lengths
}

// acquire and release count the users of the mapping; the last one unmaps.
func (s *segment) acquire() { s.refs.Add(1) }

func (s *segment) release() {
	if s.refs.Add(-1) == 0 && s.unmap != nil {
		_ = s.unmap() // nothing can be done about it, and nothing was written
	}
}

// openSegment maps a file and checks every section's checksum: at several GB/s
// that costs a start little, reads the file ahead, and means that a search
// never serves bytes that were not written.
func openSegment(name string, fields int) (*segment, error) {
	data, unmap, err := mapFile(name)
	if err != nil {
		return nil, damagedf("segment: %v", err)
	}
	s := &segment{data: data, unmap: unmap, size: uint64(len(data))}
	s.refs.Store(1)
	err = guard(func() error { return s.parse(fields) })
	if err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

func (s *segment) parse(fields int) error {
	data := s.data
	if len(data) < segmentHead+segmentFoot || string(data[:len(segmentMagic)]) != segmentMagic {
		return damagedf("not a segment file")
	}
	if v := binary.LittleEndian.Uint32(data[len(segmentMagic):]); v != segmentVersion {
		return damagedf("segment version %d, this program reads %d", v, segmentVersion)
	}
	foot := decoder{b: data[len(data)-segmentFoot:]}
	offset, size, crc := foot.u64(), uint64(foot.u32()), foot.u32()
	if string(foot.b) != segmentEndMagic || offset+size+uint64(segmentFoot) != uint64(len(data)) ||
		offset > uint64(len(data)) || size%uint64(sectionEntry) != 0 {
		return damagedf("segment is cut short")
	}
	table := data[offset : offset+size]
	if checksum(table) != crc {
		return damagedf("section table has a wrong checksum")
	}
	s.tableCRC = crc
	for d := (decoder{b: table}); len(d.b) > 0; {
		sec := section{kind: sectionKind(d.u32()), leaf: d.u32()}
		off, n := d.u64(), d.u64()
		sec.crc = d.u32()
		if off > offset || n > offset-off || sec.kind >= sectionKinds || sec.leaf >= maxRoles {
			return damagedf("section table has a bad entry")
		}
		sec.body = data[off : off+n : off+n]
		if checksum(sec.body) != sec.crc {
			return damagedf("section %d of leaf %d has a wrong checksum", sec.kind, sec.leaf)
		}
		s.sections = append(s.sections, sec)
	}
	return s.parseLeaves(fields)
}

func (s *segment) parseLeaves(fields int) error {
	var parts [][sectionKinds][]byte
	for _, sec := range s.sections {
		for int(sec.leaf) >= len(parts) {
			parts = append(parts, [sectionKinds][]byte{})
		}
		parts[sec.leaf][sec.kind] = sec.body
	}
	for i := range parts {
		l, ok := parseLeaf(&parts[i], fields)
		if !ok {
			return damagedf("leaf %d does not hold together", i)
		}
		s.leaves = append(s.leaves, l)
	}
	return nil
}

func parseLeaf(part *[sectionKinds][]byte, fields int) (*leaf, bool) {
	d := decoder{b: part[sectionMeta]}
	l := &leaf{role: string(d.bytes())}
	docs, nf := d.uvarint(), d.uvarint()
	lengths := part[sectionLengths]
	if d.bad || docs == 0 || docs > math.MaxUint32>>1 || nf != uint64(fields) || uint64(len(lengths)) != docs*nf {
		return nil, false
	}
	l.docs = int(docs)
	l.postings = part[sectionPostings]
	dicts := decoder{b: part[sectionDict]}
	at := uint64(0)
	for f := range fields {
		l.lengths = append(l.lengths, lengths[f*l.docs:(f+1)*l.docs:(f+1)*l.docs])
		l.stats = append(l.stats, fieldStats{docs: d.uvarint(), total: d.uvarint()})
		count, size, posts := d.uvarint(), d.uvarint(), d.uvarint()
		left := uint64(len(l.postings)) - at
		if d.bad || count > size || size > uint64(len(dicts.b)) || left < postingsPad || posts > left-postingsPad {
			return nil, false
		}
		if st := l.stats[f]; st.docs > docs || st.total > docs<<23 {
			return nil, false
		}
		l.fields = append(l.fields, dict{
			count:    int(count),
			terms:    dicts.take(size),
			index:    dicts.take((count + dictBlock - 1) / dictBlock * 4),
			postings: l.postings[at : at+posts+postingsPad],
			docs:     uint32(docs),
		})
		at += posts
	}
	var ok [3]bool
	l.ids, ok[0] = parseColumn(part[sectionIDs], l.docs)
	l.times, ok[1] = parseColumn(part[sectionTimes], l.docs)
	l.labels, ok[2] = parseLabels(part[sectionLabels])
	return l, !d.bad && !dicts.bad && ok[0] && ok[1] && ok[2]
}

// find returns the ordinal of a document.
func (l *leaf) find(id uint64) (uint32, bool) {
	if l.docs == 0 || id < l.ids.at(0) || id > l.ids.at(l.docs-1) {
		return 0, false
	}
	i, ok := l.ids.find(id)
	return uint32(i), ok
}
