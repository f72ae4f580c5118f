module asp-convert/asp

go 1.19
