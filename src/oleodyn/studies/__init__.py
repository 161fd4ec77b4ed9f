"""Published experiments: published beside computed."""
