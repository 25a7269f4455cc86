"""Linear inequalities: Farkas' lemma, and the value of a matrix game."""

from ropeproof.theory.library.duality import alternative, farkas, minimax, programme, weak

CLAIMS = (*farkas.CLAIMS, *alternative.CLAIMS, *weak.CLAIMS, *programme.CLAIMS, *minimax.CLAIMS)
