module example.org/elapsed

go 1.21
