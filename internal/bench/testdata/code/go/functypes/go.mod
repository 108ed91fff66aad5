module example.com/functypes

go 1.24
