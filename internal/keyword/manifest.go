package keyword

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The manifest names the segments that make up the index and what is deleted
// in them. It is replaced as a whole, so the index on disk is always one that
// was committed:
//
//	magic, version u32, options hash u64, seq u64, next segment id u64,
//	segment count, { id u64, size u64, table crc u32, leaf count,
//	                 { documents, deleted set }* }*, crc u32
const (
	manifestName    = "manifest"
	manifestTemp    = "manifest.tmp"
	manifestMagic   = "chittakm"
	manifestVersion = 1
	segmentPrefix   = "seg-"
	segmentSuffix   = ".kw"
)

type manifest struct {
	options uint64
	seq     uint64
	nextID  uint64
	views   []manifestSegment
}

type manifestSegment struct {
	id, size uint64
	tableCRC uint32
	docs     []int
	dead     []bitset
}

func segmentName(id uint64) string {
	return fmt.Sprintf("%s%016x%s", segmentPrefix, id, segmentSuffix)
}

func isIndexFile(name string) bool {
	return name == manifestName || name == manifestTemp ||
		strings.HasPrefix(name, segmentPrefix) && strings.HasSuffix(name, segmentSuffix)
}

func (m *manifest) encode() []byte {
	le := binary.LittleEndian
	b := []byte(manifestMagic)
	b = le.AppendUint32(b, manifestVersion)
	b = le.AppendUint64(b, m.options)
	b = le.AppendUint64(b, m.seq)
	b = le.AppendUint64(b, m.nextID)
	b = binary.AppendUvarint(b, uint64(len(m.views)))
	for _, v := range m.views {
		b = le.AppendUint64(b, v.id)
		b = le.AppendUint64(b, v.size)
		b = le.AppendUint32(b, v.tableCRC)
		b = binary.AppendUvarint(b, uint64(len(v.docs)))
		for i, n := range v.docs {
			b = binary.AppendUvarint(b, uint64(n))
			b = appendSet(b, v.dead[i].members(), n)
		}
	}
	return le.AppendUint32(b, checksum(b))
}

func decodeManifest(b []byte) (*manifest, error) {
	const head = len(manifestMagic) + 4
	if len(b) < head+4 || string(b[:len(manifestMagic)]) != manifestMagic {
		return nil, damagedf("not a manifest")
	}
	if v := binary.LittleEndian.Uint32(b[len(manifestMagic):]); v != manifestVersion {
		return nil, damagedf("manifest version %d, this program reads %d", v, manifestVersion)
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if checksum(body) != sum {
		return nil, damagedf("manifest has a wrong checksum")
	}
	d := decoder{b: body[head:]}
	m := &manifest{options: d.u64(), seq: d.u64(), nextID: d.u64()}
	for range d.uvarint() {
		v := manifestSegment{id: d.u64(), size: d.u64(), tableCRC: d.u32()}
		leaves := d.uvarint()
		if d.bad || leaves > maxRoles {
			return nil, damagedf("manifest does not hold together")
		}
		for range leaves {
			n := d.uvarint()
			// The documents themselves take some bytes each, so a count above
			// the file's size is nonsense that must not be allocated.
			if d.bad || n > v.size {
				return nil, damagedf("manifest does not hold together")
			}
			dead := newBitset(int(n))
			if !addSet(&d, dead, int(n)) {
				return nil, damagedf("manifest has a bad set of deletions")
			}
			v.docs, v.dead = append(v.docs, int(n)), append(v.dead, dead)
		}
		m.views = append(m.views, v)
	}
	if d.bad || len(d.b) > 0 {
		return nil, damagedf("manifest does not hold together")
	}
	return m, nil
}

// readManifest returns nil when there is none.
func readManifest(dir string) (*manifest, error) {
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, damagedf("%v", err) // something else is where the directory belongs
	}
	if err != nil {
		return nil, err
	}
	return decodeManifest(b)
}

// writeManifest replaces the manifest. Once renamed is true the new one is
// there, even if err says that it may not survive a power cut.
func writeManifest(fs fileSystem, dir string, m *manifest) (renamed bool, err error) {
	temp := filepath.Join(dir, manifestTemp)
	if err := writeFile(fs, temp, m.encode()); err != nil {
		_ = fs.remove(temp)
		return false, err
	}
	if err := fs.rename(temp, filepath.Join(dir, manifestName)); err != nil {
		_ = fs.remove(temp)
		return false, err
	}
	return true, fs.syncDir(dir)
}

func writeFile(fs fileSystem, name string, b []byte) error {
	f, err := fs.create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
