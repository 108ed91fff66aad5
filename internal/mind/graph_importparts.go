package mind

import (
	"context"
	"errors"
	"fmt"

	"chitta/internal/store"
)

const (
	// wholeMost is how many facts are stored in one transaction: while it
	// lasts, a second or two, all other writes wait.
	wholeMost = 5_000
	// wholeBytes bounds the size of a file whose facts are held in memory to be
	// stored as one.
	wholeBytes = 32 << 20
	// partMost is how many assertions are stored in one part: others wait for
	// it for about as long as nobody notices, a tenth of a second.
	partMost = 100
	// lateMost is how many facts are remembered whose end may be explained by a
	// later part; a few MB.
	lateMost = 50_000
)

// lineFact is a fact of a file that has been checked, and where it goes.
type lineFact struct {
	line  int
	realm string
	claim claim
}

// check looks the whole file through. It returns the facts, unless they are to
// be stored in parts: then there may be more than memory holds.
func (x *fileImport) check(ctx context.Context) (all []lineFact, err error) {
	err = x.pass(ctx, func(to *importTargets, line int, r *GraphRecord) error {
		x.facts++
		if x.facts > wholeMost && !x.parts && !x.dry {
			return tooLarge(fmt.Sprintf("has more than %d facts", wholeMost))
		}
		c, err := x.imported(r)
		switch {
		case err != nil:
			return x.wrong(line, inWords(err))
		case !x.parts && !x.dry:
			all = append(all, lineFact{line, to.of(r.Realm), c})
			x.out.Moved = to.moved
		}
		return nil
	})
	return all, err
}

// storeWhole stores all facts in one transaction. All that can be done before
// is done: it only writes.
func (x *fileImport) storeWhole(ctx context.Context, all []lineFact) error {
	_, err := x.storeFacts(ctx, all, func(i int) { x.read.Store(x.info.Size() * int64(i) / int64(len(all))) })
	if err == nil {
		x.net.Follow(ctx)
	}
	return err
}

// storeFacts stores facts in one transaction, and returns those that ended by
// something which is not there.
func (x *fileImport) storeFacts(ctx context.Context, all []lineFact, at func(i int)) (late []store.Unsettled, err error) {
	err = x.Mind.store.Write(ctx, func(tx *store.Tx) error {
		t, err := x.newTaking(tx, &x.out)
		if err != nil {
			return err
		}
		for i := range all {
			at(i)
			if err := x.wanted(ctx); err != nil {
				return err
			}
			err := t.take(all[i].realm, &all[i].claim)
			var refused *store.FactError
			if errors.As(err, &refused) {
				err = x.wrong(all[i].line, refused.Reason)
			}
			if err != nil {
				return err
			}
		}
		if len(x.out.Problems) > 0 {
			return errBadLine
		}
		late, err = t.settle()
		return err
	})
	return late, err
}

// storeParts reads the file once more and stores it part by part.
func (x *fileImport) storeParts(ctx context.Context) error {
	var part []lineFact
	var late []store.Unsettled
	weight, facts := 0, 0
	flush := func() error {
		if err := x.unchanged(); err != nil || len(part) == 0 {
			return err
		}
		before := x.out
		more, err := x.storeFacts(ctx, part, func(int) {})
		if err != nil {
			before.Problems = x.out.Problems
			x.out = before
			return err
		}
		x.out.Parts++
		late = append(late, more[:min(len(more), lateMost-len(late))]...)
		part, weight = part[:0], 0
		return nil
	}
	err := x.pass(ctx, func(to *importTargets, line int, r *GraphRecord) error {
		facts++
		c, err := x.imported(r)
		if err != nil || facts > x.facts { // it was right when it was looked through
			return errChanged
		}
		size := max(1, len(c.said))
		if weight > 0 && weight+size > partMost {
			if err := flush(); err != nil {
				return err
			}
		}
		part, weight = append(part, lineFact{line, to.of(r.Realm), c}), weight+size
		x.out.Moved = to.moved
		return nil
	})
	if err == nil && facts != x.facts {
		err = errChanged
	}
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = x.settleLate(ctx, late)
	}
	if x.out.Parts > 0 {
		x.net.Follow(context.WithoutCancel(ctx))
	}
	return err
}

// settleLate lets facts of earlier parts be ended by those of later ones.
func (x *fileImport) settleLate(ctx context.Context, late []store.Unsettled) error {
	for len(late) > 0 {
		n := min(len(late), partMost)
		err := x.Mind.store.Write(ctx, func(tx *store.Tx) error { return tx.SettleLate(late[:n], foreignID) })
		if err != nil {
			return err
		}
		late = late[n:]
	}
	return nil
}
