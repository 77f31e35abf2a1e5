"""The law of the diffuse path and of the mean of the surroundings, as kernel/surroundings/surroundings_mean.h has it, over
arrays. fit.py checks that it says what the program says."""
import numpy

NAMES = ("diffuse-db", "diffuse-roof-m", "diffuse-elevation-deg", "map-doubt", "map-doubt-distance-m")
CLEAR_M, LEVEL_M, SHARE, STREET_M, NEAR_ROOT_M = 5.0, 1.0, 0.06, 160.0, 1.25


def free_db(at, frequency_mhz):
    return 20.0 * numpy.log10(at["length_m"]) + 20.0 * numpy.log10(frequency_mhz) - 27.5522


def city_weight(at):
    lower = numpy.clip(0.5 + 0.25 * (at["tx_height_m"] - at["rx_height_m"]) / LEVEL_M, 0.0, 1.0)
    share = at["tx_share"] + lower * (at["rx_share"] - at["tx_share"])
    return town(numpy.maximum(share, at["built_m"] / at["length_m"]))


def town(share):
    fourth = (share / SHARE) ** 4
    return fourth / (fourth + 1.0)


def street_doubt(at):
    """How much of the doubt is left in the sight along a street."""
    above_m = numpy.maximum(at["tx_height_m"] - at["tx_roof_m"], at["rx_height_m"] - at["rx_roof_m"])
    street = (city_weight(at) ** 2 * town(numpy.minimum(at["tx_share"], at["rx_share"])) *
              numpy.clip(1.0 - above_m / STREET_M, 0.0, 1.0))
    return 1.0 - street * at["street_root_m"] / NEAR_ROOT_M


def clearance_m(at):
    """How high the end that sees out over its roofs stands above those around the other."""
    def of(height_m, roof_m, rise_m, other_m, other_roof_m):
        return numpy.clip((height_m - roof_m) / CLEAR_M, 0.0, 1.0) * numpy.maximum(rise_m + other_m - other_roof_m, 0.0)

    return numpy.maximum(
        of(at["tx_height_m"], at["tx_roof_m"], -at["rise_m"], at["rx_height_m"], at["rx_roof_m"]),
        of(at["rx_height_m"], at["rx_roof_m"], at["rise_m"], at["tx_height_m"], at["tx_roof_m"]))


def mean_db(at, frequency_mhz, numbers):
    """The loss of the diffuse path in a city, free space included."""
    e = clearance_m(at) / at["length_m"] / numpy.radians(numbers[2])
    b = numbers[1] / numpy.maximum(at["built_m"], 1e-2)
    power = numpy.maximum(e ** 4 + b ** 4, 1e-20)
    return free_db(at, frequency_mhz) + numbers[0] + 5.0 * numpy.log10(1.0 + 1.0 / power)


def loss_db(at, frequency_mhz, map_db, numbers):
    """The loss where the paths on the map alone have map_db."""
    weight, mean = city_weight(at), mean_db(at, frequency_mhz, numbers)
    doubt = weight * street_doubt(at) * numbers[3] * at["length_m"] / (at["length_m"] + numbers[4])
    return mean - (1.0 - doubt) * 10.0 * numpy.log10(weight ** 2 + 10.0 ** ((mean - map_db) / 10.0))
