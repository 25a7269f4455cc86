"""What every command does with the terminal: options, results, progress, files."""
