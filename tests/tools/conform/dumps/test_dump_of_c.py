"""The lines of C that the page shows write a dump, and a fault of C code is named."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from needs import need, needs
from programs import found

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.dumps.check import check_dump

pytestmark = needs(program="gcc")
PAGE = Path(__file__).resolve().parents[4] / "docs" / "conformance.md"
PROGRAM = """
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int T = 48, H = 3, D = 64, shift = atoi(argv[2]), n = 4 * T * H * D, pos[48];
    float *before = malloc(n), *after = malloc(n);
    char head[2000];
    for (int i = 0; i < T * H * D; i++) before[i] = sinf(12.9898f * i) * 3;
    for (int t = 0; t < T; t++) {
        pos[t] = 100 + t;
        for (int h = 0; h < H; h++)
            for (int l = 0; l < D / 2; l++) {
                float *x = before + (t * H + h) * D, *y = after + (t * H + h) * D;
                double a = (pos[t] + shift) * pow(10000, -2.0 * l / D);
                y[2 * l] = x[2 * l] * cos(a) - x[2 * l + 1] * sin(a);
                y[2 * l + 1] = x[2 * l + 1] * cos(a) + x[2 * l] * sin(a);
            }
    }
    FILE *f = fopen(argv[1], "wb");
    LINES
    return fclose(f);
}
"""


def test_the_lines_of_the_page(tmp_path):
    (lines,) = re.findall(r"```c\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "dump.c").write_text(PROGRAM.replace("LINES", lines))
    made = [found("gcc"), "-o", str(tmp_path / "dump"), str(tmp_path / "dump.c"), "-lm"]
    subprocess.run(made, check=True, timeout=60)
    spec = RopeSpec(64, 10000, layout="interleaved", length=4096)
    need("safetensors")
    for shift, cause in (
        (0, None),
        (-16, "constant shift: every token is turned as at a position 16 behind"),
    ):
        file = tmp_path / f"{abs(shift)}.safetensors"
        subprocess.run([str(tmp_path / "dump"), str(file), str(shift)], check=True, timeout=60)
        report = check_dump(file, spec)
        assert (None if report.cause is None else report.cause.text.split(", only")[0]) == cause
        assert report.passed == (shift == 0)
