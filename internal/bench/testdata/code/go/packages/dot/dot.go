package dot

type Point struct{}

func (p Point) Move() { Dot() }

func Dot() {}
