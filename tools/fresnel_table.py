#!/usr/bin/env python3
"""Prints the Chebyshev coefficients of src/kernel/wave/fresnel_table.h; needs python3-mpmath.

With G(x) = exp(j x^2) * integral from x to infinity of exp(-j t^2) dt and s = (x - 2) / (x + 2), the functions
g = (x + 2) G(x) and h = (x + 2)^2 (1 - 2 j x G(x)) are smooth for s from -1 to 1, that is for x from 0 to infinity, and
both end at -j / 2. The series are those of (g + j / 2) / (s - 1) and (h + j / 2) / (s - 1).

    tools/fresnel_table.py > src/kernel/wave/fresnel_table.h
"""
from mpmath import cos, exp, fsum, hyperu, mp, mpf, nstr, pi

mp.dps = 50
NODES = 80  # more than coefficients are printed: the rest is below 1e-20


def scaled(x):
    """G(x): erfc(z) = exp(-z^2) U(1/2, 1/2, z^2) / sqrt(pi), DLMF 7.11.5, with z = exp(j pi / 4) x."""
    z = exp(1j * pi / 4) * x
    return exp(-1j * pi / 4) * hyperu(mpf(1) / 2, mpf(1) / 2, z * z) / 2


def coefficients(function):
    angles = [pi * (k + mpf(1) / 2) / NODES for k in range(NODES)]
    values = []
    for angle in angles:
        s = cos(angle)
        values.append((function(2 * (1 + s) / (1 - s)) + 0.5j) / (s - 1))
    return [fsum(v * cos(j * a) for v, a in zip(values, angles)) * (2 if j else 1) / NODES for j in range(NODES)]


def number(value):
    """Digits enough for double, with a point or exponent so that C takes an 'f' behind it."""
    text = nstr(value, 18, min_fixed=0, max_fixed=1)
    return text if "." in text or "e" in text else text + ".0"


def table(name, values, count):
    print(f"static RCITY_CONSTANT rcity_real {name}[2 * {count}] = {{")
    for value in values[:count]:
        print(f"    RCITY_REAL({number(value.real)}), RCITY_REAL({number(value.imag)}),")
    print("};\n")


print("""/* Chebyshev coefficients for fresnel_integral.h, real and imaginary part. By tools/fresnel_table.py. */
#ifndef RCITY_KERNEL_WAVE_FRESNEL_TABLE_H
#define RCITY_KERNEL_WAVE_FRESNEL_TABLE_H

#include "kernel/wave/real.h"
""")
print("/* clang-format off */")
print("/* of ((x + 2) G(x) + j / 2) / (s - 1) */")
table("rcity_fresnel_scaled_table", coefficients(lambda x: (x + 2) * scaled(x)), 38)
print("/* of ((x + 2)^2 (1 - 2 j x G(x)) + j / 2) / (s - 1) */")
table("rcity_fresnel_shortfall_table", coefficients(lambda x: (x + 2) ** 2 * (1 - 2j * x * scaled(x))), 44)
print("/* clang-format on */")
print("#endif")
