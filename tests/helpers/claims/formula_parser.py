r"""A parser of printed terms that knows nothing of SymPy: the ordinary rules, in four notations.

Products bind more tightly than sums, powers more tightly than products and to the right; a fraction
bar takes what stands right before and after it; a sum sign takes the product after it; a function
takes its brackets. Values are fractions; a function that has no exact ones is some fixed rational
function of its argument, which tells different terms apart.
"""

import re
from fractions import Fraction

_TOKENS = re.compile(
    r"\s+|\\(?:left|right|bigl?|bigr?|displaystyle|,|!|limits)(?![a-zA-Z])"
    r"|\\[A-Za-z]+|\*\*|[0-9]+|[A-Za-zα-ωϵ][A-Za-z0-9]*'*|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|<=|>=|!=|."
)
_ALIASES = (("′", "'"), (r"\left|", r"\lvert "), (r"\right|", r"\rvert "))
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SKIPPED = re.compile(r"\s+|\\(left|right|bigl?|bigr?|displaystyle|,|!|limits)")


def opaque(name, *values):
    """The value of a fixed rational function of some values, with another function for each name."""
    if name == "exp" and values[0] <= 0:  # 1 over exp(-x), by any printer
        return 1 / opaque(name, -values[0]) if values[0] else Fraction(1)
    seed = sum(ord(letter) * (place + 3) for place, letter in enumerate(name))
    total = Fraction(seed % 97, 89)
    for place, value in enumerate(values):
        total += (value * value * (seed % 13 + 2) + value * (seed % 7 + 1)) * (place + 1)
        total += Fraction(seed % 5, 3) / (value * value + 1)
    return total


def power(base, exponent):
    """The power of a fraction; for other exponents than small integers and half integers, an opaque value."""
    if exponent.denominator == 1 and abs(exponent) <= 40:
        if base == 0 and exponent < 0:
            return Fraction(0)
        return base ** int(exponent)
    if exponent.denominator == 2:
        return power(opaque("sqrt", base), Fraction(exponent.numerator))
    return opaque("power", base, exponent)


class Reader:
    """Evaluates a printed term at given values of its letters."""

    functions = frozenset("cos sin exp Abs abs Max max Min min sqrt ln log floor f".split())  # noqa: SIM905

    def __init__(self, text, values):
        for printed, meant in _ALIASES:
            text = text.replace(printed, meant)
        self.tokens = [t for t in _TOKENS.findall(text) if not _SKIPPED.fullmatch(t)]
        self.at, self.values = 0, dict(values)

    def value(self):
        """The value of the whole printed term."""
        found = self.sum()
        assert self.at == len(self.tokens), f"left over: {self.tokens[self.at :]}"
        return found

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected=None):
        token = self.peek()
        assert token, f"{expected!r} expected at the end"
        assert expected in (None, token), f"{expected!r} expected, not {token!r}"
        self.at += 1
        return token

    def sum(self):
        sign = -1 if self.peek() in ("-", "−") else 1
        if self.peek() in ("-", "−", "+"):
            self.take()
        total = sign * self.product()
        while self.peek() in ("+", "-", "−"):
            total += (1 if self.take() == "+" else -1) * self.product()
        return total

    def product(self):
        value = self.power()
        while True:
            token = self.peek()
            if token in ("*", "·", "\\cdot"):
                self.take()
                value *= self.power()
            elif token == "/":
                self.take()
                below = self.power()
                value = value / below if below else Fraction(0)
            elif token and token not in "+-−),]}|⌋;=" and token not in ("\\rvert", "\\rfloor"):
                value *= self.power()
            else:
                return value

    def power(self):
        if self.peek() in ("-", "−"):
            self.take()
            return -self.power()
        base = self.atom()
        token = self.peek()
        if token in ("**", "^"):
            self.take()
            return power(base, self.group() if self.peek() == "{" else self.power())
        if token and token[0] in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻":
            return power(base, Fraction(int(self.take().translate(_SUPERSCRIPTS))))
        return base

    def group(self):
        self.take("{")
        found = self.sum()
        self.take("}")
        return found

    def raw(self):
        """The tokens of a group in braces, not evaluated."""
        self.take("{")
        found, depth = [], 1
        while depth:
            token = self.take()
            depth += (token == "{") - (token == "}")
            found.append(token)
        return found[:-1]

    def atom(self):
        token = self.take()
        if token.isdigit():
            return Fraction(int(token))
        if token == "(":
            found = self.sum()
            self.take(")")
            return found
        if token == "{":
            found = self.sum()
            self.take("}")
            return found
        if token in ("|", "\\lvert"):
            found = abs(self.sum())
            self.take("|" if token == "|" else "\\rvert")
            return found
        if token == "√":
            return opaque("sqrt", self.atom())
        if token == "\\sqrt":
            return opaque("sqrt", self.group())
        if token == "\\frac":
            above, below = self.group(), self.group()
            return above / below if below else Fraction(0)
        if token in ("Σ", "\\sum"):
            return self.sigma()
        if token == "\\mathrm" or (token == "e" and self.peek() == "^"):
            if token == "\\mathrm":
                self.take("{"), self.take("e"), self.take("}")
            if self.peek() == "^":
                self.take()
                return opaque("exp", self.group())
            return opaque("exp", Fraction(1))
        if token == "Sum":
            return self.python_sum()
        name = token.lstrip("\\")
        if name in self.functions:
            return self.applied(name)
        if name == "e":
            return opaque("exp", Fraction(1))
        assert token in self.values, f"unknown {token!r}"
        return self.values[token]

    def applied(self, name):
        raised = None
        if self.peek() == "^":
            self.take()
            raised = self.group()
        elif self.peek() and self.peek()[0] in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻":
            raised = Fraction(int(self.take().translate(_SUPERSCRIPTS)))
        if self.peek() == "_":
            self.take()
            return opaque(name, self.group() if self.peek() == "{" else self.atom())
        brace = self.peek() == "{"
        if brace:
            self.take()
        self.take("(")
        arguments = [self.sum()]
        while self.peek() == ",":
            self.take()
            arguments.append(self.sum())
        self.take(")")
        if brace:
            self.take("}")
        value = apply(name, arguments)
        return value if raised is None else power(value, raised)

    def sigma(self):
        self.take("_")
        index, equal, *low = self.raw()
        assert equal == "="
        self.take("^")
        high = self.raw()
        low, high = (self._of(tokens) for tokens in (low, high))
        return self._over(index, low, high, self.product)

    def _of(self, tokens):
        inner = Reader("", self.values)
        inner.tokens = tokens
        return inner.value()

    def _over(self, index, low, high, read):
        start, outer, total = self.at, self.values, Fraction(0)
        for place in range(int(low), max(int(high), int(low)) + 1):
            self.at, self.values = start, {**outer, index: Fraction(place)}
            value = read()
            total += value if place <= high else 0
        self.values = outer
        return total

    def python_sum(self):
        """The value of `Sum(body, (i, low, high))`, whose range is read first."""
        start = self.at
        depth = 0
        while True:  # to the comma of the body
            token = self.take()
            depth += (token == "(") - (token == ")")
            if token == "," and depth == 1:
                break
        self.take("(")
        index = self.take()
        self.take(",")
        low = self.sum()
        self.take(",")
        high = self.sum()
        self.take(")"), self.take(")")
        end, self.at = self.at, start

        def body():
            self.take("(")
            return self.sum()

        found = self._over(index, low, high, body)
        self.at = end
        return found


def apply(name, arguments):
    """The value of a function, given by its printed name, at some arguments."""
    if name in ("Abs", "abs"):
        return abs(arguments[0])
    if name in ("Max", "max"):
        return max(arguments)
    if name in ("Min", "min"):
        return min(arguments)
    if name == "log":
        name = "ln"
    return opaque(name, *arguments)
