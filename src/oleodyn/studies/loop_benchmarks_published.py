"""What is published of the benchmark machines: numbers of the Test Set, curves read from the library's figures."""

import math

ANGLES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
CUTS = ("K3_cut", "K4_cut", "K6_cut")

ANDREWS_ANGLES = (
    0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1, -0.5347301163226948, 0.5244099658805304,
    0.5347301163226948, 0.1048080741042263e1,
)  # fmt: skip
ANDREWS_SPEEDS = (
    0.1139920302151208e4, -0.1424379294994111e4, 0.1103291221937134e2, 0.1929337464421385e2, 0.5735699284790808,
    -0.1929337464421385e2, 0.3231791658026955,
)  # fmt: skip
ANDREWS_ACCELERATIONS = (
    -0.2463176316945196e5, 0.5185037701610329e5, 0.3241025686413781e6, 0.5667493645176213e6, 0.1674362929479361e5,
    -0.5667493645176222e6, 0.9826520791458422e4,
)  # fmt: skip
ANDREWS_MULTIPLIERS = (
    0.1991753333731910e3, -0.2975531228015052e2, 0.2306654119098399e2, 0.3145271365475927e2, 0.2264249232082739e2,
    0.1161740700019673e2,
)  # fmt: skip
"""At 0.03 s: Test Set for IVP Solvers, `andrews.f` (PSIDE at 1e-14); two multipliers for each loop [N]."""
ANDREWS_START = (14222.4439199541138705911625887, -10666.8329399655854029433719415)
"""Accelerations of beta and Theta at the start [rad/s²], ibid.; the others are zero."""
LEFT = 2e-9
"""What the published angles leave: integrators at 2e-14 differ from them by 1.43e-9 rad."""

NAN = math.nan
BRICARD_P3 = {
    0.6694: (0.6217, -0.9537, -0.3073), 1.1694: (0.0876, -0.8689, -0.4974), 1.6694: (-0.4616, -0.9209, -0.3941),
    2.1694: (-0.9002, NAN, -0.0959), 3.1694: (-0.6177, -0.9517, -0.3099), 3.6694: (-0.0829, -0.8684, -0.4974),
    4.1694: (0.4659, -0.9212, -0.3919), 4.6694: (0.9027, NAN, -0.0944), 5.6694: (0.6137, -0.9509, -0.3122),
    6.1694: (0.0785, -0.8683, -0.4974), 6.6694: (-0.4701, -0.9218, -0.3900), 7.1694: (-0.9050, NAN, -0.0913),
    8.1694: (-0.6096, -0.9505, -0.3148), 8.6694: (-0.0738, -0.8683, -0.4974), 9.1694: (NAN, -0.9240, -0.3881),
}  # fmt: skip
"""P3 [m] over time, read from the reference curve in the figure of Tagliapietra et al. (2015), A04; nan where
curves cross or leave the figure."""
BRICARD_PIXEL = 4e-3
"""Height of a pixel of that figure [m]."""

SLIDER = {
    0.056: 0.5135, 1.121: 0.5251, 1.476: 0.7322, 1.831: 0.5998, 2.185: 0.5453, 3.25: 0.5706, 3.96: 0.5478,
    4.315: 0.5969, 4.669: 0.7321, 5.024: 0.5273, 5.379: 0.6265, 5.734: 0.7198, 6.444: 0.6536, 7.153: 0.5069,
    7.863: 0.6789, 8.218: 0.5044, 8.573: 0.7029, 8.927: 0.6538, 9.282: 0.5123, 9.637: 0.7197,
}  # fmt: skip
"""Height of the slider [m] over time, read from the reference curve in the figure of Tagliapietra et al. (2015),
A05, whose lines are straight between samples."""
SAMPLES = 0.1
"""Time between the samples of that curve [s]."""
SLIDER_PIXEL = 7.5e-4
"""Height of a pixel of that figure [m]."""
