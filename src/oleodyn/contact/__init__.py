"""What tools and wheels touch."""
