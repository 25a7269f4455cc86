"""The plane forms of a head: what attention knows of its queries and keys, free of every gauge.

`forms` keeps their factors, `distance` compares two heads, `canonical` picks one head of all that have the
same forms, `nearest` finds the nearest of many heads, `of_model` reads the forms of a model's heads out
of its weights, `on_inputs` gives them on tokens or on places of a prompt.
"""
