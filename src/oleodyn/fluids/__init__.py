"""What oil does."""
