"""Running a user's file in a process of its own, which sends back plain claims and plain outcomes.

Read in this order: `terms` (formulas as plain data, and back), `records` (claims and findings as
plain data, and back), `messages`, `guest` (the program that runs the file), `template` and `process`
(how it is started, and known to have ended) and `host` (which sends it requests and judges the answers).
No object of the file, and none that its code has touched, comes into the process that judges.
"""
