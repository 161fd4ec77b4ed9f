"""The circuit of a machine on paper: symbols, their places, and the lines between them."""
