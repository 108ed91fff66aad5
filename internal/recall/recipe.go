package recall

// Recipe says how conversations are ranked.
type Recipe struct{}
