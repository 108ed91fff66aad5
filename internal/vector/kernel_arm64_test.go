//go:build !purego

package vector

func kernelSets() []kernelSet { return []kernelSet{portableSet(), chosenSet()} }
