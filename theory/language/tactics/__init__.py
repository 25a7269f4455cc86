"""Rules that the proof language chooses by itself: by the form of a goal and of its premises."""
