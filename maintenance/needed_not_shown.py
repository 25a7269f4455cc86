"""Which hypotheses of the catalogue are needed, as their claims say, although no instance shows it.

    python maintenance/needed_not_shown.py            # all of them, with the reasons
    python maintenance/needed_not_shown.py --count    # how many each claim has, and in total
    python maintenance/needed_not_shown.py --main     # main results only

An instance shows that a hypothesis is needed if it satisfies all others and not the conclusion;
`ropeproof check` looks for one. Where a claim says instead that none can be given, this script says so.
"""

import argparse

from ropeproof.proofs_check.run.library import load


def main() -> None:
    """Print the hypotheses that are needed without an instance, claim by claim."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", action="store_true", help="numbers only")
    parser.add_argument("--main", action="store_true", help="main results only")
    options = parser.parse_args()
    claims = load().claims.values()
    chosen = [c for c in claims if not options.main or c.role == "main result"]
    total = sum(len(c.hypotheses) for c in chosen)
    found = 0
    for claim in chosen:
        unshown = [h for h in claim.hypotheses if h.unshown]
        found += len(unshown)
        if unshown and options.count:
            print(f"{claim.id:<40}{len(unshown):>3} of {len(claim.hypotheses)}")
        elif unshown:
            print(claim.id, *(f"  {h.name}: {h.unshown}" for h in unshown), sep="\n")
    print(f"{found} of {total} hypotheses are needed, and no instance shows it.")


if __name__ == "__main__":
    main()
