#!/usr/bin/env bash
# GIS vectors in and out: formats, CRS, heights; what is refused, and that it leaves nothing behind.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

if [[ $with_gdal -eq 0 ]]; then
  echo '{}' > city.geojson
  rcity scene import city.geojson -o city.rcity
  expect_error 7 "GDAL"
  rcity scene make --area-km2 0.1 -o city.rcity
  rcity scene export city.rcity -o city.gpkg
  expect_error 7 "GDAL" "city.gpkg"
  expect_no_file city.gpkg
  finish
fi
vector=("$python" "$here/check_vector.py")
"$python" -c 'from osgeo import ogr' 2> /dev/null || skip_all "no Python of GDAL (python3-gdal)"

hash_of() {
  "$RADIOCITY" scene info "$1" --json --quiet | "$python" -c 'import json, sys; print(json.load(sys.stdin)["hash"])'
}
expect_hash() { # scene, scene
  if [[ $(hash_of "$1") == "$(hash_of "$2")" ]]; then pass; else fail "expected the same hash of $1 and $2"; fi
}

# The real centre of Salt Lake City.
shapefile=${RADIOCITY_DATA:-}/saltlakecity/slc_cut.shp
if [[ -r "$shapefile" ]]; then
  rcity scene import "$shapefile" --height-field MEANHEIGHT --crs EPSG:26912 -o slc.rcity
  expect_ok
  expect_stdout "slc.rcity: 165 buildings" "CRS EPSG:26912"
  rcity scene info slc.rcity --json
  expect_json 'd["buildings"] == 165' 'd["crs"] == "EPSG:26912"' 'd["source"] == "slc_cut.shp"' \
    'all(abs(a - b) < 1 for a, b in zip(d["bounds_m"], [424565, 4512350, 425499, 4513521]))'
  rcity scene import "$shapefile" --crs EPSG:26912 -o found.rcity # the field is found
  expect_ok
  expect_same slc.rcity found.rcity
  rcity scene import "$shapefile" -o absent.rcity
  expect_error 2 "slc_cut.shp" "does not state its CRS" "--crs"
  rcity scene export slc.rcity -o slc.gpkg
  rcity scene import slc.gpkg --close-gaps-m 0 -o again.rcity
  expect_hash slc.rcity again.rcity
  rcity scene export slc.rcity --crs EPSG:4326 -o slc.geojson
  rcity scene import slc.geojson --close-gaps-m 0 --to-crs EPSG:26912 -o again.rcity
  expect_ok
  rcity scene export again.rcity -o again.gpkg
  expect_success_of "${vector[@]}" corners slc.gpkg again.gpkg 0.01
else
  skip "no saltlakecity/slc_cut.shp (set RADIOCITY_DATA to the folder of the real data)"
fi

# One city, made by others, in every format: the same scene.
seed=${RADIOCITY_SEED:-$RANDOM}
echo "seed $seed"
for ending in gpkg shp geojson; do
  "${vector[@]}" make city.$ending 32632 "$seed" || fail "could not make city.$ending"
  rcity scene import city.$ending -o $ending.rcity
  expect_ok
  expect_stdout "$ending.rcity: 72 buildings" "CRS EPSG:32632"
  expect_hash gpkg.rcity $ending.rcity
done
rcity scene info gpkg.rcity --json
expect_json 'd["buildings"] == 72' 'sum(d["repairs"].values()) == 0' 'd["crs"] == "EPSG:32632"'
# in degrees: the same UTM zone is found, every corner within a centimetre
for ending in gpkg shp geojson; do
  "${vector[@]}" make degrees.$ending 4326 "$seed"
  rcity scene import degrees.$ending -o degrees.rcity
  expect_ok
  expect_stdout "CRS EPSG:32632"
  rcity scene export degrees.rcity -o degrees_back.gpkg
  rcity scene export gpkg.rcity -o metres_back.gpkg
  expect_success_of "${vector[@]}" corners metres_back.gpkg degrees_back.gpkg 0.01
done
# another CRS there and back
"${vector[@]}" make other.gpkg 31468 "$seed"
rcity scene import other.gpkg -o other.rcity
expect_stdout "CRS EPSG:31468"
rcity scene import other.gpkg --to-crs EPSG:32632 --close-gaps-m 0 -o back.rcity
expect_ok
rcity scene export back.rcity -o back.gpkg
expect_success_of "${vector[@]}" corners metres_back.gpkg back.gpkg 0.01
# without a CRS
"${vector[@]}" make plain.shp 0 "$seed"
rcity scene import plain.shp -o absent.rcity
expect_error 2 "'plain.shp' does not state its CRS" "--crs"
rcity scene import plain.shp --crs none -o plain.rcity
expect_stdout "CRS none"
rcity scene import plain.shp --crs EPSG:32632 -o plain.rcity
expect_hash gpkg.rcity plain.rcity
# all in one scene twice over is no new city but twice as many buildings
rcity scene import city.gpkg city.shp --close-gaps-m 0 -o twice.rcity
expect_stdout "144 buildings"

# Out again: what is in the files, and the same bytes each time.
for ending in gpkg shp geojson; do
  rcity scene export gpkg.rcity -o out.$ending
  expect_ok
  expect_stdout "out.$ending: 72 buildings"
  expect_success_of "${vector[@]}" is 'd.GetLayerCount() == 1' 'l.GetFeatureCount() == 72' \
    's.GetAuthorityCode(None) == "32632"' \
    '[f.GetName() for f in l.schema] == ["id", "height_m", "ground_m", "material"]' \
    'all(f.GetGeometryRef().IsValid() for f in l)' out.$ending
  rcity scene import out.$ending --close-gaps-m 0 --ground-field ground_m -o again.rcity
  expect_hash gpkg.rcity again.rcity
  rcity scene export gpkg.rcity -o same.$ending
  expect_same out.$ending same.$ending
done
expect_success_of "${vector[@]}" is 'l.GetName() == "buildings"' out.gpkg
for ending in shx dbf prj; do
  expect_same out.$ending same.$ending
done
rcity scene export gpkg.rcity --crs EPSG:4326 -o lonlat.geojson
expect_success_of "${vector[@]}" is 's.GetAuthorityCode(None) == "4326"' '11.5 < l.GetExtent()[0] < 11.6' \
  '48.1 < l.GetExtent()[2] < 48.2' lonlat.geojson
if grep -q '"crs"' lonlat.geojson; then fail "RFC 7946 knows no crs member"; else pass; fi
# a city in the hills, out as buildings and ground and in again
rcity scene make --kind highrise --area-km2 0.2 --seed 4 --crs EPSG:32632 --origin 691000,5334000 -o hills.rcity
rcity scene export hills.rcity -o hills.gpkg
expect_ok
rcity scene export hills.rcity -o hills.tif
expect_ok
expect_stdout "hills.tif:" "nodes of terrain"
rcity scene import hills.gpkg --terrain hills.tif --close-gaps-m 0 -o again.rcity
expect_ok
expect_hash hills.rcity again.rcity
rcity scene import hills.gpkg --terrain hills.tif --close-gaps-m 0 --threads 2 -o same.rcity
expect_same again.rcity same.rcity
rcity scene import --terrain hills.tif -o ground.rcity
expect_ok
expect_stdout "ground.rcity: 0 buildings" "terrain of"
rcity scene export gpkg.rcity -o absent.tif
expect_error 2 "absent.tif" "no terrain"
rcity scene export hills.rcity --crs EPSG:4326 -o absent.tif
expect_error 2 "--crs is for buildings"
expect_no_file absent.tif
rcity scene export gpkg.rcity -o absent.kml
expect_error 2 "'absent.kml'" ".gpkg, .shp or .geojson"
rcity scene export gpkg.rcity --crs EPSG:1 -o absent.gpkg
expect_error 2 "'EPSG:1' is not known"
rcity scene export gpkg.rcity -o missing/absent.gpkg
expect_error 4 "cannot write 'missing/absent.gpkg'"
rcity scene export missing.rcity -o absent.gpkg
expect_error 4 "'missing.rcity'"
expect_no_file absent.gpkg

# Heights: found, counted, given, left out.
geojson() { # file, features
  printf '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32632"}},"features":[%s]}' \
    "$2" > "$1"
}
house() { # number, properties
  local x=$((691000 + 40 * $1))
  printf '{"type":"Feature","properties":{%s},"geometry":{"type":"Polygon","coordinates":[[[%d,5334000],[%d,5334000],[%d,5334020],[%d,5334020],[%d,5334000]]]}}' \
    "$2" $x $((x + 20)) $((x + 20)) $x $x
}
geojson heights.geojson "$(house 1 '"h_top":12.5,"levels":3'),$(house 2 '"h_top":null,"levels":4'),$(house 3 '"levels":0')"
rcity scene import heights.geojson --height-field h_top -o absent.rcity
expect_error 5 "1 of 3 buildings have no height" "feature 2 of 'heights.geojson'" "--default-height-m" "--no-height drop"
expect_no_file absent.rcity
rcity scene import heights.geojson --height-field h_top --default-height-m 5 -o heights.rcity
expect_ok
expect_stdout "heights.rcity: 3 buildings"
if grep -q "1 height from the floors in 'levels', 3 m each" "$errors" && grep -q "1 of 3 buildings have no height and got 5 m" "$errors"
then pass; else fail "expected the report on stderr"; fi
rcity scene info heights.rcity --json
expect_json 'd["height_min_m"] == 5' 'd["height_median_m"] == 12' 'd["height_max_m"] == 12.5'
rcity scene import heights.geojson --height-field h_top --no-height drop --floor-height-m 2.5 --quiet -o heights.rcity
expect_silent_stderr
rcity scene info heights.rcity --json
expect_json 'd["buildings"] == 2' 'd["height_min_m"] == 10'
rcity scene import heights.geojson --height-field h_pot -o absent.rcity
expect_error 2 "no field 'h_pot'" "did you mean 'h_top'?" "it has: h_top, levels"
geojson words.geojson "$(house 1 '"height":"12 m"'),$(house 2 '"height":"tall"')"
rcity scene import words.geojson -o absent.rcity
expect_error 5 "'words.geojson' feature 1" "'tall'" "'height'" "--bad-buildings drop"
rcity scene import words.geojson --bad-buildings drop -o dropped.rcity
expect_ok
expect_stdout "1 building, 4 walls, 0.000400 km2" # 20 x 20 m
rcity scene export dropped.rcity -o one.gpkg
expect_stdout "one.gpkg: 1 building"
if grep -q buildings "$output"; then fail "expected one building"; else pass; fi
geojson ids.geojson "$(house 1 '"height":9,"n":"A-1"')"
rcity scene import ids.geojson --id-field n -o absent.rcity
expect_error 5 "'A-1' in the field 'n' is not a whole number" "leave --id-field out"
geojson feet.geojson "$(house 1 '"HEIGHT_FT":100')"
rcity scene import feet.geojson --height-field HEIGHT_FT -o absent.rcity
expect_error 2 "'HEIGHT_FT'" "look like feet; give --height-unit ft"
rcity scene import feet.geojson --height-field HEIGHT_FT --height-unit ft -o feet.rcity
expect_ok
if grep -q "heights from the field 'HEIGHT_FT', in feet" "$errors"; then pass; else fail "expected the unit on stderr"; fi
rcity scene info feet.rcity --json
expect_json 'abs(d["height_max_m"] - 30.48) < 0.01'
geojson ground.geojson "$(house 1 '"height":9,"ground":200')"
rcity scene import ground.geojson --ground-field ground -o absent.rcity
expect_error 2 "'ground.geojson' feature 0" "200 m" "give --terrain, or leave --ground-field out"
geojson trees.geojson "$(house 1 '"height":9'),$(house 2 '"height":null')"
rcity scene import feet.geojson --height-field HEIGHT_FT --height-unit m --vegetation trees.geojson --vegetation-height-m 4 -o trees.rcity
expect_ok
if grep -q "1 of 2 polygons of vegetation have no height and got 4 m" "$errors"; then pass; else fail "expected the trees on stderr"; fi
geojson nothing.geojson "$(house 1 '"name":"a"')"
rcity scene import nothing.geojson -o absent.rcity
expect_error 2 "--height-field" "it has: name"

# What is no vector file, has the wrong CRS, swapped axes; options that do not go together.
bad() { # status, words..., --, arguments...
  local expected=$1 words=()
  shift
  while [[ $1 != -- ]]; do
    words+=("$1")
    shift
  done
  shift
  rcity scene import "$@" -o absent.rcity
  expect_error "$expected" "${words[@]}"
  expect_no_file absent.rcity
}
echo "just words" > words.shp
bad 5 "'words.shp' is no vector file" -- words.shp
bad 4 "'missing.gpkg'" "no such file" -- missing.gpkg
printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n' > grid.asc
bad 5 "'grid.asc' is a raster" "--terrain" -- grid.asc
bad 2 "'EPSG:99999' is not known" -- plain.shp --crs EPSG:99999
bad 2 "does not count in metres" "EPSG:4326" -- city.gpkg --to-crs EPSG:4326
bad 2 "'city.gpkg' states its CRS, EPSG:32632" "--crs says EPSG:25833" "--to-crs" -- city.gpkg --crs EPSG:25833
printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"height":9},"geometry":{"type":"Polygon","coordinates":[[[40.79,-111.89],[40.79,-111.888],[40.792,-111.888],[40.79,-111.89]]]}}]}' > swapped.geojson
bad 2 "'swapped.geojson'" "swapped" "longitude comes first" -- swapped.geojson
printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"height":9},"geometry":{"type":"Polygon","coordinates":[[[48.13,11.56],[48.13,11.57],[48.14,11.57],[48.13,11.56]]]}}]}' > munich.geojson
bad 2 "'munich.geojson'" "swapped" "longitude comes first" -- munich.geojson --to-crs EPSG:32632
bad 2 "the input is missing" --
bad 2 "--bad-buildings is 'maybe'" -- city.gpkg --bad-buildings maybe
bad 2 "--no-height is 'guess'" -- city.gpkg --no-height guess
bad 2 "exclude each other" -- city.gpkg --no-height drop --default-height-m 4
bad 2 "--fill-voids needs --terrain" -- city.gpkg --fill-voids nearest
bad 2 "--terrain-cell-m needs --terrain" -- city.gpkg --terrain-cell-m 5
bad 2 "--terrain-area-lonlat needs --terrain" -- city.gpkg --terrain-area-lonlat 1,2,3,4
bad 2 "takes W,S,E,N" -- --terrain grid.asc --terrain-area-lonlat 1,2,3
bad 2 "--terrain-area-lonlat is 3,2,1,4" "each less than its opposite" -- --terrain grid.asc --terrain-area-lonlat 3,2,1,4
bad 2 "--surface-model needs --terrain" -- city.gpkg --surface-model
bad 4 "no file matches 'absent*.hgt'" -- --terrain 'absent*.hgt'
bad 2 "--vegetation-height-m needs --vegetation" -- city.gpkg --vegetation-height-m 5
bad 2 "--classes needs --land-cover" -- city.gpkg --classes c.csv
bad 2 "unit of heights is 'yd'" "m or ft" -- city.gpkg --height-unit yd
bad 2 "--terrain is 'a.tif,'" "empty path" -- city.gpkg --terrain a.tif,
bad 2 "empty path" -- city.gpkg --terrain ,a.tif
bad 2 "empty path" -- city.gpkg --terrain a.tif,,b.tif
bad 2 "'EPSG:32610' cannot be the scene's" "the data lie around longitude 11.5" -- city.gpkg --to-crs EPSG:32610
printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"height":9},"geometry":{"type":"Polygon","coordinates":[[[11.56,48.13],[11.561,48.13],[11.561,48.131],[11.56,48.13]]]}}]}' > degrees_only.geojson
bad 5 "slivers; are these longitudes and latitudes?" -- degrees_only.geojson --crs EPSG:32632
printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"height":9},"geometry":{"type":"Polygon","coordinates":[[[179.998,-17],[179.9982,-17],[179.9982,-16.9998],[179.998,-17]]]}},{"type":"Feature","properties":{"height":9},"geometry":{"type":"Polygon","coordinates":[[[-179.998,-17],[-179.9978,-17],[-179.9978,-16.9998],[-179.998,-17]]]}}]}' > fiji.geojson
bad 2 "both sides of the date line" "--to-crs" -- fiji.geojson
rcity scene import fiji.geojson --to-crs EPSG:32760 -o fiji.rcity
expect_ok
rcity scene info fiji.rcity --json
expect_json '400 < d["bounds_m"][2] - d["bounds_m"][0] < 500' 'd["bounds_m"][3] - d["bounds_m"][1] < 40'
bad 2 "--fill-voids is 'soil'" -- city.gpkg --terrain a.tif --fill-voids soil
bad 2 "height of a floor is 0.1" -- city.gpkg --floor-height-m 0.1
bad 2 "default height is 5000" -- city.gpkg --default-height-m 5000
res_box 0 0 20 20 10 1 > walls.res
bad 2 "takes no --height-field" "--close-gaps-m, --bad-buildings and --crs" -- walls.res --height-field h
bad 2 "takes no --height-unit" -- walls.res --height-unit ft
bad 2 "takes no second input" -- walls.res city.gpkg
bad 2 "'gpkg.rcity' is a compiled scene already" -- gpkg.rcity
rcity scene import city.gpkg -o city.tif
expect_error 2 "ends in .rcity"
rcity scene import city.gpkg -o missing/x.rcity
expect_error 4 "cannot write 'missing/x.rcity'"
expect_no_leftover "$work"
finish
