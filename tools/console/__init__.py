"""What every command needs of the terminal: options, results, progress, files."""
