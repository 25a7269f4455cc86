"""A user's file in a process of its own, which hands back plain claims and plain outcomes.

Read in this order: `terms` (formulas as plain data, and back), `records` (claims and findings as
plain data, and back), `messages`, `guest` (the program that runs the file), `template` and `process`
(how it is started, and known to have ended) and `host` (who asks it and judges what it says).
No object of the file, and none that its code has touched, comes into the process that judges.
"""
