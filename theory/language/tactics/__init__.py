"""Rules that the proof language chooses by itself, from the form of a goal and its premises."""
