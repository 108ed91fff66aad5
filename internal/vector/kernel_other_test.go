//go:build (!amd64 && !arm64) || purego

package vector

func kernelSets() []kernelSet { return []kernelSet{portableSet(), chosenSet()} }
