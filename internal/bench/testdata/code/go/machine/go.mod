module example.com/machine/v2

go 1.24
