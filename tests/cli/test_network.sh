#!/usr/bin/env bash
# Sites with sectors: one run, a map for each sector, best server, coverage, files for GIS and globe.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
[[ $with_gdal -eq 1 ]] || skip_all "networks in a CRS need GDAL"

rcity scene make --kind core --area-km2 0.3 --seed 5 --crs EPSG:32632 --origin 691000,5334000 -o city.rcity
expect_ok
cat > sites.csv << 'END'
site,sector,x,y,height_m,azimuth_deg,mechanical_tilt_deg,frequency_mhz,eirp_dbm,power_dbm,cable_loss_db,antenna
North,1,691150,5334400,45,0,4,1800,58,,,3gpp
North,2,691150,5334400,45,120,4,1800,58,,,3gpp
North,3,691150,5334400,45,240,4,1800,,43,2,3gpp
South,1,691400,5334120,50,30,6,2100,58,,,3gpp
South,2,691400,5334120,50,150,6,2100,58,,,3gpp
South,3,691400,5334120,50,270,6,2100,58,,,3gpp
END
basic=(predict --method free-space --scene city.rcity --sites sites.csv --cell 5)
outputs=(-o network.tif --sector-maps sectors --thresholds "-35,-30,-25" --fade-db 8
  --geojson coverage.geojson --sites-geojson sites.geojson)
[[ $with_cairo -eq 0 ]] || outputs+=(--png network.png --kmz network.kmz)
rcity "${basic[@]}" "${outputs[@]}"
expect_ok
expect_stdout "free-space, 6 sectors" "coverage at 1.5 m" "threshold" "-35 dBm" "with fading" "best server" "North/1" "South/3" \
  network.tif sectors
for file in network.tif network.qml coverage.geojson sites.geojson sectors/North_1.tif sectors/North_1.qml sectors/South_3.tif; do
  expect_file $file
done
expect_no_leftover .
for map in network.tif sectors/*.tif; do
  expect_success_of "$python" -m osgeo_utils.samples.validate_cloud_optimized_geotiff "$map" > /dev/null
  expect_success_of "$python" "$here/check_map.py" is 'd.GetSpatialRef().GetAuthorityCode(None) == "32632"' "$map"
done
expect_success_of "$python" "$here/check_map.py" is \
  '[d.GetRasterBand(i + 1).GetDescription() for i in range(3)] == ["received_power", "best_server", "server_margin"]' \
  '[d.GetRasterBand(i + 1).GetUnitType() for i in range(3)] == ["dBm", "", "dB"]' 'd.RasterCount == 7' \
  '"-30" in d.GetRasterBand(5).GetDescription() and "probability" in d.GetRasterBand(5).GetDescription()' \
  'd.GetMetadataItem("RADIOCITY_SERVER_4") == "South/1"' network.tif
expect_success_of "$python" "$here/check_map.py" is \
  '[d.GetRasterBand(i + 1).GetDescription() for i in range(2)] == ["path_loss", "received_power"]' \
  '[d.GetRasterBand(i + 1).GetUnitType() for i in range(2)] == ["dB", "dBm"]' \
  'd.GetMetadataItem("RADIOCITY_TX_NAME") == "South/2"' 'd.GetMetadataItem("RADIOCITY_TX_AZIMUTH_DEG") == "150"' \
  sectors/South_2.tif
# 43 dBm less 2 dB of cable plus 8 dBi
expect_success_of "$python" "$here/check_map.py" is 'd.GetMetadataItem("RADIOCITY_TX_EIRP_DBM") == "49"' sectors/North_3.tif
expect_success_of "$python" "$here/check_network.py" network.tif sectors/North_{1,2,3}.tif sectors/South_{1,2,3}.tif

# The same in JSON: the shares and percentages are those of the maps.
rcity "${basic[@]}" --thresholds "-35,-30,-25" --fade-db 8 --json --quiet
expect_ok
expect_json 'len(d["servers"]) == 6 and abs(sum(s["percent"] for s in d["servers"]) - 100) < 1e-6' \
  '[c["threshold_dbm"] for c in d["coverage"]] == [-35, -30, -25]' \
  'd["coverage"][0]["covered_percent"] >= d["coverage"][1]["covered_percent"] >= d["coverage"][2]["covered_percent"]' \
  'all(0 < c["fading_percent"] < 100 for c in d["coverage"])' 'd["server_1"] == "North/1"'
cp "$output" network.json
expect_success_of "$python" "$here/check_network.py" --coverage network.json network.tif
expect_success_of "$python" "$here/check_network.py" --polygons coverage.geojson network.json
expect_success_of ogrinfo -so -al sites.geojson
expect_stdout "Feature Count: 6"
[[ $with_cairo -eq 0 ]] || expect_success_of "$python" "$here/check_kmz.py" network.kmz network.tif

# The list of transmitters that a run writes is a list of sites: every way to state a power, antennas by name and by file,
# from another folder. Positions are rounded to a millimetre.
mkdir -p patterns lists
cp "$here/../../examples/data/panel_1800.msi" patterns/
cat > lists/all.csv << 'END'
site,sector,x,y,height_m,height_above,azimuth_deg,mechanical_tilt_deg,electrical_tilt_deg,frequency_mhz,eirp_dbm,erp_dbm,power_dbm,power_w,cable_loss_db,antenna,polarization,load
North,1,691150.123,5334400,45,ground,45,4,,1800,58,,,,,3gpp,slant,0.5
North,2,691150,5334400,45,sea,120,4,,1800,,57,,,,dipole,h,
North,3,691150,5334400,45,,240,4,7,1800,,,43,,2,../patterns/panel_1800.msi,,0
South,1,691400,5334120,50,,30,6,,2100,,,,20,1,../patterns/panel_1800.msi,-45,1
South,2,691400,5334120,50,,,,,2100,58,,,,,,,
END
every=(predict --method free-space --scene city.rcity --bandwidth-mhz 10 --cell 10 --quiet)
rcity "${every[@]}" --sites lists/all.csv -o all.tif --sites-geojson sectors/all.geojson
expect_ok
rcity "${every[@]}" --sites sectors/all.geojson -o read.tif --sites-geojson lists/again.geojson
expect_ok
expect_silent_stderr
rcity map diff all.tif read.tif --json
expect_ok
expect_json 'max(abs(d["minimum"]), abs(d["maximum"])) < 0.001'
rcity "${every[@]}" --sites lists/again.geojson --sites-geojson sectors/third.geojson
expect_ok
expect_success_of "$python" - sectors/all.geojson sectors/third.geojson << 'END'
import json, sys
first, third = ([f["properties"] for f in json.load(open(name))["features"]] for name in sys.argv[1:])
assert len(first) == 5 and [f["antenna_file"] for f in first[2:]] == ["../patterns/panel_1800.msi"] * 2 + [None]
assert [f["power_kind"] for f in first] == ["eirp", "erp", "conducted", "conducted", "eirp"]
for a, b in zip(first, third):
    assert abs(a.pop("x_m") - b.pop("x_m")) < 0.002 and abs(a.pop("y_m") - b.pop("y_m")) < 0.002, a
    assert a == b, (a, b)
END
printf 'site,x,y,height_m,frequency_mhz,power_kind,power_dbm\nA,691150,5334400,45,1800,%s\n' "peak,50" > kind.csv
rcity "${every[@]}" --sites kind.csv -o kind.tif
expect_error 5 "kind.csv' line 2, column 'power_kind': 'peak' is none of eirp, erp and conducted"
printf 'site,x,y,height_m,frequency_mhz,power_kind,power_dbm\nA,691150,5334400,45,1800,%s\n' "erp," > kind.csv
rcity "${every[@]}" --sites kind.csv -o kind.tif
expect_error 5 "power_kind is 'erp' and power_dbm is empty"

# The same bytes with another number of threads.
mkdir again
rcity "${basic[@]}" -o again/network.tif --sector-maps again/sectors --thresholds "-35,-30,-25" --fade-db 8 --threads 1 --quiet \
  --geojson again/coverage.geojson
expect_ok
for file in network.tif network.qml coverage.geojson sectors/North_2.tif sectors/South_3.tif; do
  expect_same $file again/$file
done

# Another CRS for the maps: a value is found at the transformed place.
rcity "${basic[@]}" -o lonlat.tif --out-crs EPSG:4326 --quiet
expect_ok
expect_success_of "$python" "$here/check_network.py" --moved network.tif lonlat.tif

# A table of points, by longitude and latitude.
rcity predict --method free-space --scene city.rcity --tx 691150,5334400,45 --frequency-mhz 1800 --eirp-dbm 58 -o one.tif --quiet
expect_ok
"$python" - << 'END' > points.csv
from osgeo import osr
a, b = osr.SpatialReference(), osr.SpatialReference()
a.ImportFromEPSG(32632), b.ImportFromEPSG(4326)
for s in (a, b):
    s.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
t = osr.CoordinateTransformation(a, b)
print("name,lon,lat,height_m")
for i, (x, y) in enumerate([(691120.5, 5334310), (691300, 5334202.5), (691412, 5334330)]):
    print("p%d,%.10f,%.10f,%g" % (i, *t.TransformPoint(x, y)[:2], 30 + i))
END
rcity predict --method free-space --scene city.rcity --sites sites.csv --points points.csv -o levels.csv
expect_ok
expect_stdout "6 sectors, 3 points" levels.csv
expect_success_of "$python" - << 'END'
import csv
rows = list(csv.DictReader(open("levels.csv")))
assert [r["name"] for r in rows] == ["p0", "p1", "p2"], rows
for r, (x, y) in zip(rows, [(691120.5, 5334310), (691300, 5334202.5), (691412, 5334330)]):
    assert abs(float(r["x"]) - x) < 0.002 and abs(float(r["y"]) - y) < 0.002, r
    levels = {k.split(" ", 1)[1]: float(v) for k, v in r.items() if k.startswith("received_power_dbm ")}
    assert len(levels) == 6
    best = max(levels, key=levels.get)
    assert r["best_server"] == best and float(r["received_power_dbm"]) == levels[best], r
END

# Bad lists: nothing is written, the line says which sector and what to do.
refused() { # status, words..., -- arguments
  local expected=$1 words=()
  shift
  while [[ "$1" != -- ]]; do
    words+=("$1")
    shift
  done
  rcity predict --method free-space --scene city.rcity -o absent.tif --sector-maps absent "${@:2}"
  expect_error "$expected" "${words[@]}"
  expect_no_file absent.tif
  rm -rf absent
}
sed 's/,1800,/,,/' sites.csv > no_frequency.csv
refused 2 "frequency" "North" -- --sites no_frequency.csv
sed 's/,58,,,/,,,,/' sites.csv > no_power.csv
refused 2 "North/1" "power" -- --sites no_power.csv
sed 's/,691400,/,6914000,/' sites.csv > far.csv
refused 2 "South/1" "outside the scene" -- --sites far.csv
sed 's/,45,0,4/,45,north,4/' sites.csv > words.csv
refused 5 "north" "azimuth" "2" -- --sites words.csv
refused 4 "missing.csv" -- --sites missing.csv
refused 2 "one of --tx" -- --sites sites.csv --tx 1,2,3
refused 2 "--thresholds" -- --sites sites.csv --geojson a.geojson
rcity predict --method free-space --scene city.rcity --tx 691150,5334400,45 --frequency-mhz 1800 --thresholds -90 -o absent.tif
expect_error 2 "received power" "--eirp-dbm"
rcity predict --method free-space --scene city.rcity --tx-lonlat 48.13,11.57,45 --frequency-mhz 1800 -o absent.tif
expect_error 2 "longitude comes first"
rcity predict --method free-space --scene city.rcity --tx 691150,5334400,45 --frequency-mhz 1800 --out-crs EPSG:99999 -o absent.tif
expect_error 2 "EPSG:99999"
expect_no_file absent.tif
rcity predict --method free-space --scene city.rcity --tx 11.57,48.13,45 --frequency-mhz 1800 -o absent.tif
expect_error 2 "outside the scene" "longitude and latitude?"
# What cannot come out right is said before the work: names that meet, bands that are not there, ranges.
sed 's/^North,2,/network,,/' sites.csv > named.csv
rcity predict --method free-space --scene city.rcity --sites named.csv -o network.tif --sector-maps .
expect_error 2 "sector 'network'" "-o 'network.tif'"
sed 's/^North,2,/North_1,,/' sites.csv > meeting.csv
refused 2 "'North/1'" "'North_1'" "one file" -- --sites meeting.csv
rcity predict --method free-space --scene city.rcity --sites sites.csv --cell 20 --png-band level -o absent.tif --sector-maps absent --quiet
expect_error 2 "no band 'level'" "received_power" "best_server"
expect_no_file absent
refused 2 "sector 'North/1'" "3gpp-uma" "45 m" "--extrapolate" -- --sites sites.csv --method 3gpp-uma
expect_no_file absent
refused 2 "--cable-loss-db goes with" -- --sites sites.csv --eirp-dbm 50 --cable-loss-db 2
sed 's/,2100,/,1800,/' sites.csv > same.csv
rcity predict --scene city.rcity --sites same.csv --method cost231-hata --cell 20 --dry-run
expect_error 2 "North/1" "published distances, 1 km to 20 km"
rcity scene make --kind core --area-km2 0.1 --seed 5 -o plain.rcity
rcity predict --method free-space --scene plain.rcity --tx 100,100,60 --frequency-mhz 900 --eirp-dbm 50 --kmz absent.kmz
expect_error 2 "--kmz needs a place on Earth" "--crs"
# A network says how each of its sectors stood, and what was stretched.
rcity predict --scene city.rcity --sites sites.csv --method walfisch-ikegami --extrapolate --cell 20 -o stretched.tif --quiet
expect_ok
expect_success_of "$python" "$here/check_map.py" is \
  '"height 45 m above ground" in d.GetMetadataItem("RADIOCITY_SERVER_1_SETUP")' \
  '"azimuth 120" in d.GetMetadataItem("RADIOCITY_SERVER_2_SETUP")' \
  '"2100 MHz" in d.GetMetadataItem("RADIOCITY_SERVER_4_EXTRAPOLATED")' stretched.tif
# Picture and style of another band, at a height.
if [[ $with_cairo -eq 1 ]]; then
  rcity predict --method free-space --scene city.rcity --sites sites.csv --cell 20 --rx-height 1.5,10 --png-band best_server@10 -o servers.tif \
    --png servers.png --quiet
  expect_ok
  if grep -q 'band="5"' servers.qml && grep -q 'North/1' servers.qml; then pass; else fail "expected a style of the best server"; fi
fi
# Only transmitters with power compete at points.
printf 'site,x,y,height_m,frequency_mhz,eirp_dbm\nP,691150,5334400,45,1800,58\nQ,691400,5334120,50,1800,\n' > half.csv
rcity predict --method free-space --scene city.rcity --sites half.csv --points points.csv -o half_levels.csv --quiet
expect_ok
expect_success_of "$python" -c '
import csv
assert all(r["best_server"] == "P" and r["received_power_dbm"] for r in csv.DictReader(open("half_levels.csv")))'
# Points and areas beyond the scene are not passed over in silence.
printf 'x,y\n691100,5334100\n692500,5334100\n' > beyond.csv
rcity predict --method free-space --scene city.rcity --tx 691150,5334400,45 --frequency-mhz 1800 --points beyond.csv -o beyond_levels.csv
expect_ok
if grep -q "1 of 2 points lies outside the scene" "$errors"; then pass; else fail "expected a warning about the point outside"; fi
rcity predict --method free-space --scene city.rcity --tx 691150,5334400,45 --frequency-mhz 1800 --area 690500,5333900,691500,5334400 --cell 20 -o wide.tif
expect_ok
if grep -q "reaches beyond the scene" "$errors"; then pass; else fail "expected a warning about the area"; fi
expect_success_of "$python" "$here/check_map.py" is '"open land" in d.GetMetadataItem("RADIOCITY_RX_OUTSIDE_SCENE")' wide.tif
# The memory that chances and files take is asked for before the work.
many=(predict --method free-space --scene city.rcity --tx 691150,5334400,45 --frequency-mhz 1800 --eirp-dbm 50 --fade-db 8 --cell 1
  --thresholds "-20,-21,-22,-23,-24,-25,-26,-27,-28,-29,-30,-31,-32,-33,-34,-35")
rcity "${many[@]}" --json --quiet --memory 20MB
expect_error 3 "needs" "the limit is 20.0 MB"
rcity "${many[@]}" --json --quiet --memory 60MB
expect_ok
expect_no_leftover .
finish
