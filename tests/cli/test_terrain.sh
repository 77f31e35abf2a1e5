#!/usr/bin/env bash
# A city on real terrain: buildings stand on it, receivers follow it; in the raster's CRS and in another.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

if [[ $with_gdal -eq 0 ]]; then
  rcity scene import --terrain dem.tif -o terrain.rcity
  expect_error 7 "GDAL"
  expect_no_file terrain.rcity
  finish
fi
ground=("$python" "$here/check_terrain.py")
"$python" -c 'from osgeo import gdal' 2> /dev/null || skip_all "no Python of GDAL (python3-gdal)"
seed=${RADIOCITY_SEED:-$RANDOM}
echo "seed $seed"

# A city made flat, and imported onto an elevation model.
number_of() { # name in the JSON of the last command
  "$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$output" "$1"
}
on_terrain() { # name, CRS, origin, model, nodes ("" for nodes of the scene's own), transmitter
  local name=$1 crs=$2 origin=$3 dem=$4 nodes=$5 tx=$6
  rcity scene make --kind core --area-km2 1 --seed 1 --crs "$crs" --origin "$origin" -o "$name-flat.rcity"
  expect_ok
  rcity scene export "$name-flat.rcity" -o "$name-flat.gpkg"
  expect_ok
  rcity scene import "$name-flat.gpkg" --terrain "$dem" --terrain-margin-m 500 -o "$name.rcity"
  expect_ok
  rcity scene info "$name-flat.rcity" --json
  local flat_count
  flat_count=$(number_of buildings)
  rcity scene info "$name.rcity" --json
  expect_json 'd["has_terrain"]' "d['buildings'] == $flat_count" "d['crs'] == '$crs'" 'd["repairs"]["dropped_buildings"] == 0' \
    'd["ground_max_m"] - d["ground_min_m"] > 20'
  [[ -n "$nodes" ]] || nodes=$(number_of terrain_cell_m)
  rcity scene export "$name.rcity" -o "$name.gpkg"
  expect_ok
  expect_success_of "${ground[@]}" houses "$name.gpkg" "$dem" "$nodes"
  rcity predict --scene "$name.rcity" --method free-space --tx "$tx" --frequency-mhz 900 --cell 5 -o "$name.tif"
  expect_ok
  expect_success_of "${ground[@]}" loss "$name.tif" "$dem" "$nodes" "$tx" 900e6 "$seed"
}

# A region: tiles of one degree by their names, out of a folder.
tile=${RADIOCITY_DATA:-}/terrain/N44W072.hgt
if [[ -r "$tile" ]]; then
  mkdir srtm
  cp "$tile" srtm/
  rcity scene import --terrain srtm --terrain-area-lonlat -71.5,44.2,-71.3,44.4 --surface-model -o region.rcity
  expect_ok
  rcity scene info region.rcity --json
  expect_json 'd["source"] == "surface model N44W072.hgt"' 'd["crs"] == "EPSG:32619"' 'd["area_km2"] > 320' 'd["area_km2"] < 354' \
    'd["ground_max_m"] > 1800'
  rcity scene import --terrain "$tile" --terrain-area-lonlat -71.5,44.2,-71.3,44.4 --surface-model -o again.rcity
  expect_same region.rcity again.rcity
  rcity scene import --terrain 'srtm/N*.hgt' --terrain-area-lonlat -71.1,44.2,-70.9,44.4 -o absent.rcity
  expect_error 2 "1 tile of the area is missing: N44W071.hgt" "--fill-voids"
  expect_no_file absent.rcity
  mv srtm/N44W072.hgt srtm/north.hgt
  rcity scene import --terrain srtm -o absent.rcity
  expect_error 5 "srtm/north.hgt" "named by its south-west corner"
fi

dem=${RADIOCITY_DATA:-}/terrain/bigtujunga.tif
if [[ -r "$dem" ]]; then
  on_terrain tujunga EPSG:32611 390000,3798000 "$dem" pixels 390500,3798500,40
  rcity scene import tujunga-flat.gpkg --terrain "$dem" --terrain-margin-m 500 -o again.rcity
  expect_same tujunga.rcity again.rcity
  rcity scene import --terrain "$dem" -o alone.rcity # all of it, without a city
  expect_ok
  rcity scene info alone.rcity --json
  expect_json 'd["buildings"] == 0' 'd["terrain_columns"] == 1197' 'd["terrain_rows"] == 643' 'd["terrain_cell_m"] == 30' \
    'd["ground_min_m"] == 315' 'd["ground_max_m"] == 2295' 'd["crs"] == "EPSG:32611"'
  rcity scene make --kind core --area-km2 0.2 --crs EPSG:32611 --origin 490000,3798000 -o far.rcity
  rcity scene export far.rcity -o far.gpkg
  rcity scene import far.gpkg --terrain "$dem" -o absent.rcity
  expect_error 2 "do not overlap" "bigtujunga.tif"
  expect_no_file absent.rcity
else
  skip "no terrain/bigtujunga.tif (set RADIOCITY_DATA to the folder of the real data)"
fi

dem=${RADIOCITY_DATA:-}/terrain/N44W072.hgt
if [[ -r "$dem" ]]; then
  on_terrain white EPSG:32619 316000,4905000 "$dem" "" 316500,4905500,40
else
  skip "no terrain/N44W072.hgt (set RADIOCITY_DATA to the folder of the real data)"
fi

# A model made here, so that something runs everywhere: what is refused leaves nothing behind.
"$python" - << 'PYTHON' || fail "could not make the elevation models"
from osgeo import gdal, osr
import struct
gdal.UseExceptions()
def make(name, unit, value):
    d = gdal.GetDriverByName("GTiff").Create(name, 60, 60, 1, gdal.GDT_Float32)
    d.SetGeoTransform((690000, 20, 0, 5335200, 0, -20))
    s = osr.SpatialReference()
    s.ImportFromEPSG(32632)
    d.SetSpatialRef(s)
    band = d.GetRasterBand(1)
    band.SetUnitType(unit)
    for row in range(60):
        band.WriteRaster(0, row, 60, 1, struct.pack("60f", *(value(c, row) for c in range(60))))
make("good.tif", "m", lambda c, r: 500 + c + 0.5 * r)
make("feet.tif", "ft", lambda c, r: 1500 + c)
make("holes.tif", "m", lambda c, r: -32768 if (c, r) == (30, 30) else 500 + c)
PYTHON
rcity scene make --kind core --area-km2 0.25 --seed 3 --crs EPSG:32632 --origin 690300,5334300 -o town.rcity
rcity scene export town.rcity -o town.gpkg
rcity scene import town.gpkg --terrain good.tif -o town.rcity
expect_ok
rcity scene import town.gpkg --terrain feet.tif -o absent.rcity
expect_error 2 "feet.tif" "--terrain-unit ft"
rcity scene import town.gpkg --terrain feet.tif --terrain-unit ft -o feet.rcity
expect_ok
rcity scene info feet.rcity --json
expect_json 'abs(d["ground_min_m"] - 1500 * 0.3048) < 0.02'
rcity scene import town.gpkg --terrain holes.tif -o absent.rcity
expect_error 2 "no height at 1 of 3600 nodes" "--fill-voids"
rcity scene import town.gpkg --terrain holes.tif --fill-voids interpolate -o holes.rcity
expect_ok
rcity scene import town.gpkg --terrain town.gpkg -o absent.rcity
expect_error 5 "town.gpkg"
expect_no_file absent.rcity
finish
