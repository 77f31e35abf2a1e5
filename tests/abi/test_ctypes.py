"""The library through ctypes, by radiocity_ffi.h alone: test_ctypes.py RADIOCITY_FFI_H LIBRADIOCITY_SO
Makes a city, predicts and reads values; then calls every function with nothing, which must not crash."""
import ctypes
import math
import sys

from ffi_header import Header

OK, ARGUMENT, UNSUPPORTED = 0, -1, -6
header = Header(sys.argv[1])
rcity = header.load(sys.argv[2])


def make(name):
    """A struct of options with its defaults."""
    made = header.types[name]()
    getattr(rcity, name + "_init")(ctypes.byref(made), ctypes.sizeof(made))
    assert made.struct_bytes == ctypes.sizeof(made), name
    return made


def message(context):
    return rcity.rcity_context_message(context).decode()


def predict():
    """A map of free space: its first value is what the formula says."""
    context, scene, device, found = (ctypes.c_void_p() for _ in range(4))

    def check(status):
        assert status == OK, (status, message(context))

    check(rcity.rcity_context_create(ctypes.byref(make("rcity_context_options")), ctypes.byref(context)))
    city = make("rcity_city_options")
    city.area_km2 = 0.1
    check(rcity.rcity_city_make(context, ctypes.byref(city), ctypes.byref(scene)))
    check(rcity.rcity_device_open(context, b"host", ctypes.byref(device)))
    request = make("rcity_request")
    request.method = b"free-space"
    request.transmitter.x_m = request.transmitter.y_m = -100.0
    request.transmitter.height_m = 30.0
    request.receivers.cell_m = 20.0
    check(rcity.rcity_predict(context, scene, device, ctypes.byref(request), ctypes.byref(found)))
    band = header.types["rcity_band"]()
    check(rcity.rcity_map_get_band_sized(found, 0, ctypes.sizeof(band), ctypes.byref(band)))
    raster = rcity.rcity_map_raster(found)
    assert band.name == b"path_loss" and band.kind == header.numbers["RCITY_BAND_LOSS"], band.name
    values = ctypes.cast(band.value, ctypes.POINTER(ctypes.c_float))
    compared = 0
    for row in range(raster.row_count):
        for column in range(raster.column_count):
            value = values[row * raster.column_count + column]
            x_m = raster.west_m + (column + 0.5) * raster.cell_m + 100.0
            y_m = raster.north_m - (row + 0.5) * raster.cell_m + 100.0
            distance_m = math.sqrt(x_m * x_m + y_m * y_m + 28.5 * 28.5)
            expected = 20 * math.log10(4 * math.pi * distance_m * request.transmitter.frequency_hz / 299792458.0)
            if not math.isnan(value):
                assert abs(value - expected) < 1e-3, (row, column, value, expected)
                compared += 1
    assert compared > 100, compared
    assert rcity.rcity_map_get_band_sized(found, 1000, ctypes.sizeof(band), ctypes.byref(band)) == ARGUMENT
    request.struct_bytes = 0
    assert rcity.rcity_predict(context, scene, device, ctypes.byref(request), ctypes.byref(found)) == ARGUMENT
    assert "rcity_request_default()" in message(context), message(context)
    for name, handle in (("map", found), ("scene", scene)):
        getattr(rcity, f"rcity_{name}_destroy")(ctypes.byref(handle))
    rcity.rcity_device_close(ctypes.byref(device))
    rcity.rcity_context_destroy(ctypes.byref(context))
    return compared


def is_pointer(ctype):
    return ctype in (ctypes.c_void_p, ctypes.c_char_p)


def call_with_nothing():
    """Every function with NULL and 0; those with a context once more with one, and a sentence then."""
    context = ctypes.c_void_p()
    assert rcity.rcity_context_create(ctypes.byref(make("rcity_context_options")), ctypes.byref(context)) == OK
    refused = named = 0
    for name, (result, parameters) in header.functions.items():
        nothing = [None if is_pointer(ctype) else ctype(0) for ctype, _, _ in parameters]
        answer = getattr(rcity, name)(*nothing)
        returns_status = result is ctypes.c_int and any(is_pointer(p[0]) for p in parameters) and is_status(name)
        if not returns_status:
            continue
        assert answer in (ARGUMENT, UNSUPPORTED), (name, answer)
        refused += 1
        places = [i for i, (_, item, _) in enumerate(parameters) if item == "context"]
        if not places or len(parameters) == 1 or name == "rcity_context_create":
            continue
        nothing[places[0]] = context
        answer = getattr(rcity, name)(*nothing)
        assert answer in (ARGUMENT, UNSUPPORTED), (name, answer, message(context))
        if answer == ARGUMENT:
            assert "` is NULL" in message(context), (name, message(context))
            named += 1
    rcity.rcity_context_destroy(ctypes.byref(context))
    return refused, named


def is_status(name):
    with open(sys.argv[1], encoding="utf-8") as file:
        return f"rcity_status {name}(" in file.read()


print(f"{predict()} values of free space read through ctypes")
print("%d functions refuse NULL, %d of them with its name" % call_with_nothing())
