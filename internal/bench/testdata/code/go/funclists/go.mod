module example.com/funclists

go 1.24
