#!/usr/bin/env python3
"""Files that name other files or addresses, under endings that promise something else, given to every command that reads through
GDAL: nothing is fetched from a server that listens here, and nothing of another file is read. With --allow-network the same
files are opened, so that the refusals are for this reason."""
import http.server
import json
import os
import threading

import abuse

if not abuse.WITH_GDAL:
    abuse.skip("this build has no GDAL")
abuse.folder()
for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
    os.environ.pop(name, None)
requests = []


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        requests.append(self.path)
        path = os.path.basename(self.path)
        if os.path.exists(path):
            body = open(path, "rb").read()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)
        else:
            self.send_error(404)

    do_GET = do_HEAD = do_POST = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
URL = "http://127.0.0.1:%d" % server.server_port

made = abuse.run("scene", "make", "--kind", "hills", "--area-km2", "1", "-o", "hills.rcity", "--quiet")
made = abuse.run("scene", "export", "hills.rcity", "-o", "ground.tif")
abuse.expect("a terrain is made", made.status == 0, made)
with open("ground.asc", "w") as file:
    file.write("ncols 20\nnrows 20\nxllcorner 500000\nyllcorner 5000000\ncellsize 50\n" + "\n".join(" ".join(["5"] * 20) for _ in range(20)) + "\n")


def vrt(source):
    return ('<VRTDataset rasterXSize="20" rasterYSize="20"><SRS>EPSG:32632</SRS><GeoTransform>500000,50,0,5001000,0,-50</GeoTransform>'
            '<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="0">%s</SourceFilename><SourceBand>1</SourceBand>'
            '</SimpleSource></VRTRasterBand></VRTDataset>' % source)


def ogr_vrt(source):
    return '<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>%s</SrcDataSource><SrcLayer>a</SrcLayer></OGRVRTLayer></OGRVRTDataSource>' % source


polygon = {"type": "Polygon", "coordinates": [[[9.0, 48.0], [9.001, 48.0], [9.001, 48.001], [9.0, 48.001], [9.0, 48.0]]]}
house = {"type": "FeatureCollection", "name": "a", "features": [{"type": "Feature", "properties": {"height": 10}, "geometry": polygon}]}
json.dump(house, open("a.geojson", "w"))
FILES = {
    "vrt.tif": vrt("/vsicurl/%s/ground.asc" % URL),
    "local.tif": vrt(os.path.abspath("ground.asc")),
    "nested.tif": vrt(os.path.abspath("vrt.tif")),
    "wms.tif": '<GDAL_WMS><Service name="TMS"><ServerUrl>%s/${z}/${x}/${y}.png</ServerUrl></Service><DataWindow><UpperLeftX>-180</UpperLeftX>'
               '<UpperLeftY>90</UpperLeftY><LowerRightX>180</LowerRightX><LowerRightY>-90</LowerRightY><SizeX>1000</SizeX><SizeY>500</SizeY>'
               '</DataWindow><Projection>EPSG:32632</Projection><BandsCount>1</BandsCount></GDAL_WMS>' % URL,
    "wcs.tif": '<WCS_GDAL><ServiceURL>%s/wcs?</ServiceURL><CoverageName>a</CoverageName></WCS_GDAL>' % URL,
    "vrt.geojson": ogr_vrt("/vsicurl/%s/a.geojson" % URL),
    "local.geojson": ogr_vrt(os.path.abspath("a.geojson")),
    "wfs.gml": '<OGRWFSDataSource><URL>%s/wfs?</URL></OGRWFSDataSource>' % URL,
    "schema.gml": '<?xml version="1.0"?><ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml" '
                  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://ogr.maptools.org/ %s/wfs?request=DescribeFeatureType">'
                  '<gml:featureMember><ogr:a fid="a.0"><ogr:height>10</ogr:height></ogr:a></gml:featureMember></ogr:FeatureCollection>' % URL,
    "entity.gml": '<?xml version="1.0"?><!DOCTYPE a SYSTEM "%s/a.dtd"><ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" '
                  'xmlns:gml="http://www.opengis.net/gml"/>' % URL,
    "link.kml": '<kml xmlns="http://www.opengis.net/kml/2.2"><Document><NetworkLink><Link><href>%s/a.kml</href></Link></NetworkLink></Document></kml>' % URL,
    "esri.json": '{"displayFieldName":"a","geometryType":"esriGeometryPolygon","exceededTransferLimit":true,"features":[],"url":"%s"}' % URL,
}
for name, text in FILES.items():
    with open(name, "w") as file:
        file.write(text)
ADDRESSES = ["/vsicurl/%s/ground.asc" % URL, "%s/ground.asc" % URL, "/vsizip//vsicurl/%s/a.zip/a.tif" % URL, "/vsis3/bucket/a.tif",
             "WMS:%s/wms" % URL, "WFS:%s/wfs" % URL]


def commands(path):
    return [["map", "info", path], ["map", "diff", path, path], ["map", "coverage", path, "--thresholds", "-90"],
            ["scene", "import", path, "-o", "out.rcity", "--default-height-m", "5", "--crs", "EPSG:32632"],
            ["scene", "import", "a.geojson", "--terrain", path, "-o", "out.rcity"],
            ["scene", "import", "a.geojson", "--land-cover", path, "--classes", "worldcover", "-o", "out.rcity"],
            ["scene", "import", "a.geojson", "--vegetation", path, "-o", "out.rcity"]]


for path in [*FILES, *ADDRESSES]:
    for words in commands(path):
        del requests[:]
        ended = abuse.run(*words, "--quiet")
        abuse.expect("nothing is fetched", not requests, words, requests)
        may_read = path.endswith(".kml") or path.endswith(".json") or path.endswith("schema.gml") or path.endswith("entity.gml")
        abuse.expect("and the file is refused", may_read or ended.status not in (0, 1), words, ended)
        abuse.expect("in a sentence", ended.status >= 0 and (ended.status == 0 or ended.err.startswith("radiocity: ")), words, ended)

# A good file whose neighbour leads elsewhere.
os.system("cp ground.tif beside.tif")
with open("beside.tif.aux.xml", "w") as file:
    file.write('<PAMDataset><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">/vsicurl/%s/over.tif</MDI></Metadata></PAMDataset>' % URL)
for words in commands("beside.tif"):
    del requests[:]
    ended = abuse.run(*words, "--quiet")
    abuse.expect("nothing is fetched for a neighbour", not requests, words, requests)

del requests[:]
allowed = abuse.run("map", "info", "vrt.tif", "--allow-network", "--quiet")
abuse.expect("--allow-network opens it", allowed.status == 0 and requests, allowed, requests)
allowed = abuse.run("map", "info", "local.tif", "--allow-network", "--quiet")
abuse.expect("--allow-network opens it", allowed.status == 0, allowed)
refused = abuse.run("map", "info", "local.tif", "--quiet")
abuse.expect("the refusal names the driver and the option", "VRT" in refused.err and "--allow-network" in refused.err, refused)
abuse.finish()
