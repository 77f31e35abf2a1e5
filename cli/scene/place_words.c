/* Where on Earth a scene lies. The list is for recognising a place, not for finding it: large cities of all continents to a
   twentieth of a degree. */
#include "place_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EARTH_RADIUS_KM 6371.0
#define NAMED_KM        600.0 /* farther from every city, none is named */
#define IN_KM           8.0   /* nearer, the scene lies in it */

typedef struct known_city {
    double lat_deg, lon_deg;
    const char *name;
} known_city;

static const known_city cities[] = {
    {48.85, 2.35, "Paris, France"},
    {45.76, 4.84, "Lyon, France"},
    {43.30, 5.37, "Marseille, France"},
    {43.60, 1.44, "Toulouse, France"},
    {47.22, -1.55, "Nantes, France"},
    {50.63, 3.06, "Lille, France"},
    {51.51, -0.13, "London, United Kingdom"},
    {53.48, -2.24, "Manchester, United Kingdom"},
    {52.48, -1.90, "Birmingham, United Kingdom"},
    {55.86, -4.25, "Glasgow, United Kingdom"},
    {55.95, -3.19, "Edinburgh, United Kingdom"},
    {51.48, -3.18, "Cardiff, United Kingdom"},
    {54.60, -5.93, "Belfast, United Kingdom"},
    {53.35, -6.26, "Dublin, Ireland"},
    {52.52, 13.40, "Berlin, Germany"},
    {53.55, 9.99, "Hamburg, Germany"},
    {48.14, 11.58, "Munich, Germany"},
    {50.94, 6.96, "Cologne, Germany"},
    {50.11, 8.68, "Frankfurt, Germany"},
    {48.78, 9.18, "Stuttgart, Germany"},
    {51.34, 12.37, "Leipzig, Germany"},
    {51.05, 13.74, "Dresden, Germany"},
    {52.37, 9.73, "Hanover, Germany"},
    {49.45, 11.08, "Nuremberg, Germany"},
    {48.21, 16.37, "Vienna, Austria"},
    {47.07, 15.44, "Graz, Austria"},
    {47.27, 11.39, "Innsbruck, Austria"},
    {47.38, 8.54, "Zurich, Switzerland"},
    {46.20, 6.14, "Geneva, Switzerland"},
    {46.95, 7.45, "Bern, Switzerland"},
    {52.37, 4.90, "Amsterdam, Netherlands"},
    {51.92, 4.48, "Rotterdam, Netherlands"},
    {50.85, 4.35, "Brussels, Belgium"},
    {51.22, 4.40, "Antwerp, Belgium"},
    {49.61, 6.13, "Luxembourg"},
    {40.42, -3.70, "Madrid, Spain"},
    {41.39, 2.17, "Barcelona, Spain"},
    {39.47, -0.38, "Valencia, Spain"},
    {37.39, -5.99, "Seville, Spain"},
    {43.26, -2.93, "Bilbao, Spain"},
    {38.72, -9.14, "Lisbon, Portugal"},
    {41.15, -8.61, "Porto, Portugal"},
    {41.90, 12.50, "Rome, Italy"},
    {45.46, 9.19, "Milan, Italy"},
    {40.85, 14.27, "Naples, Italy"},
    {45.07, 7.69, "Turin, Italy"},
    {44.49, 11.34, "Bologna, Italy"},
    {43.77, 11.26, "Florence, Italy"},
    {38.12, 13.36, "Palermo, Italy"},
    {45.44, 12.32, "Venice, Italy"},
    {37.98, 23.73, "Athens, Greece"},
    {40.64, 22.94, "Thessaloniki, Greece"},
    {55.68, 12.57, "Copenhagen, Denmark"},
    {56.16, 10.20, "Aarhus, Denmark"},
    {57.05, 9.92, "Aalborg, Denmark"},
    {59.33, 18.07, "Stockholm, Sweden"},
    {57.71, 11.97, "Gothenburg, Sweden"},
    {55.60, 13.00, "Malmo, Sweden"},
    {63.83, 20.26, "Umea, Sweden"},
    {59.91, 10.75, "Oslo, Norway"},
    {60.39, 5.32, "Bergen, Norway"},
    {63.43, 10.40, "Trondheim, Norway"},
    {69.65, 18.96, "Tromso, Norway"},
    {60.17, 24.94, "Helsinki, Finland"},
    {65.01, 25.47, "Oulu, Finland"},
    {64.15, -21.94, "Reykjavik, Iceland"},
    {59.44, 24.75, "Tallinn, Estonia"},
    {56.95, 24.11, "Riga, Latvia"},
    {54.69, 25.28, "Vilnius, Lithuania"},
    {52.23, 21.01, "Warsaw, Poland"},
    {50.06, 19.94, "Krakow, Poland"},
    {51.11, 17.03, "Wroclaw, Poland"},
    {54.35, 18.65, "Gdansk, Poland"},
    {50.08, 14.44, "Prague, Czechia"},
    {49.20, 16.61, "Brno, Czechia"},
    {48.15, 17.11, "Bratislava, Slovakia"},
    {47.50, 19.04, "Budapest, Hungary"},
    {44.43, 26.10, "Bucharest, Romania"},
    {42.70, 23.32, "Sofia, Bulgaria"},
    {44.79, 20.45, "Belgrade, Serbia"},
    {45.81, 15.98, "Zagreb, Croatia"},
    {46.06, 14.51, "Ljubljana, Slovenia"},
    {43.86, 18.41, "Sarajevo, Bosnia and Herzegovina"},
    {41.33, 19.82, "Tirana, Albania"},
    {42.00, 21.43, "Skopje, North Macedonia"},
    {50.45, 30.52, "Kyiv, Ukraine"},
    {49.84, 24.03, "Lviv, Ukraine"},
    {46.48, 30.73, "Odesa, Ukraine"},
    {53.90, 27.57, "Minsk, Belarus"},
    {55.76, 37.62, "Moscow, Russia"},
    {59.93, 30.34, "Saint Petersburg, Russia"},
    {56.84, 60.61, "Yekaterinburg, Russia"},
    {55.01, 82.93, "Novosibirsk, Russia"},
    {43.12, 131.89, "Vladivostok, Russia"},
    {41.01, 28.98, "Istanbul, Turkey"},
    {39.93, 32.86, "Ankara, Turkey"},
    {41.72, 44.79, "Tbilisi, Georgia"},
    {40.41, 49.87, "Baku, Azerbaijan"},
    {40.18, 44.51, "Yerevan, Armenia"},
    {32.08, 34.78, "Tel Aviv, Israel"},
    {31.95, 35.93, "Amman, Jordan"},
    {33.89, 35.50, "Beirut, Lebanon"},
    {33.51, 36.29, "Damascus, Syria"},
    {33.31, 44.37, "Baghdad, Iraq"},
    {35.69, 51.39, "Tehran, Iran"},
    {24.71, 46.68, "Riyadh, Saudi Arabia"},
    {21.49, 39.19, "Jeddah, Saudi Arabia"},
    {25.20, 55.27, "Dubai, United Arab Emirates"},
    {25.29, 51.53, "Doha, Qatar"},
    {29.38, 47.99, "Kuwait City, Kuwait"},
    {23.59, 58.41, "Muscat, Oman"},
    {34.53, 69.17, "Kabul, Afghanistan"},
    {41.30, 69.24, "Tashkent, Uzbekistan"},
    {43.24, 76.89, "Almaty, Kazakhstan"},
    {24.86, 67.00, "Karachi, Pakistan"},
    {31.55, 74.34, "Lahore, Pakistan"},
    {28.61, 77.21, "Delhi, India"},
    {19.08, 72.88, "Mumbai, India"},
    {12.97, 77.59, "Bengaluru, India"},
    {13.08, 80.27, "Chennai, India"},
    {22.57, 88.36, "Kolkata, India"},
    {17.39, 78.49, "Hyderabad, India"},
    {27.72, 85.32, "Kathmandu, Nepal"},
    {23.81, 90.41, "Dhaka, Bangladesh"},
    {6.93, 79.86, "Colombo, Sri Lanka"},
    {16.87, 96.20, "Yangon, Myanmar"},
    {13.76, 100.50, "Bangkok, Thailand"},
    {21.03, 105.85, "Hanoi, Vietnam"},
    {10.82, 106.63, "Ho Chi Minh City, Vietnam"},
    {3.14, 101.69, "Kuala Lumpur, Malaysia"},
    {1.35, 103.82, "Singapore"},
    {-6.21, 106.85, "Jakarta, Indonesia"},
    {-7.26, 112.75, "Surabaya, Indonesia"},
    {14.60, 120.98, "Manila, Philippines"},
    {22.32, 114.17, "Hong Kong"},
    {25.03, 121.57, "Taipei, Taiwan"},
    {39.90, 116.41, "Beijing, China"},
    {31.23, 121.47, "Shanghai, China"},
    {23.13, 113.26, "Guangzhou, China"},
    {30.57, 104.07, "Chengdu, China"},
    {34.34, 108.94, "Xi'an, China"},
    {30.59, 114.31, "Wuhan, China"},
    {43.83, 87.62, "Urumqi, China"},
    {47.89, 106.91, "Ulaanbaatar, Mongolia"},
    {37.57, 126.98, "Seoul, South Korea"},
    {35.18, 129.08, "Busan, South Korea"},
    {35.68, 139.69, "Tokyo, Japan"},
    {34.69, 135.50, "Osaka, Japan"},
    {35.18, 136.91, "Nagoya, Japan"},
    {43.06, 141.35, "Sapporo, Japan"},
    {33.59, 130.40, "Fukuoka, Japan"},
    {-33.87, 151.21, "Sydney, Australia"},
    {-37.81, 144.96, "Melbourne, Australia"},
    {-27.47, 153.03, "Brisbane, Australia"},
    {-31.95, 115.86, "Perth, Australia"},
    {-34.93, 138.60, "Adelaide, Australia"},
    {-12.46, 130.84, "Darwin, Australia"},
    {-36.85, 174.76, "Auckland, New Zealand"},
    {-41.29, 174.78, "Wellington, New Zealand"},
    {-43.53, 172.64, "Christchurch, New Zealand"},
    {30.04, 31.24, "Cairo, Egypt"},
    {36.81, 10.18, "Tunis, Tunisia"},
    {36.75, 3.06, "Algiers, Algeria"},
    {33.57, -7.59, "Casablanca, Morocco"},
    {32.89, 13.19, "Tripoli, Libya"},
    {15.50, 32.56, "Khartoum, Sudan"},
    {9.03, 38.74, "Addis Ababa, Ethiopia"},
    {-1.29, 36.82, "Nairobi, Kenya"},
    {0.35, 32.58, "Kampala, Uganda"},
    {-6.79, 39.21, "Dar es Salaam, Tanzania"},
    {6.52, 3.38, "Lagos, Nigeria"},
    {9.06, 7.50, "Abuja, Nigeria"},
    {5.60, -0.19, "Accra, Ghana"},
    {5.36, -4.01, "Abidjan, Ivory Coast"},
    {14.72, -17.47, "Dakar, Senegal"},
    {-4.44, 15.27, "Kinshasa, DR Congo"},
    {-8.84, 13.23, "Luanda, Angola"},
    {-15.39, 28.32, "Lusaka, Zambia"},
    {-17.83, 31.03, "Harare, Zimbabwe"},
    {-26.20, 28.05, "Johannesburg, South Africa"},
    {-33.92, 18.42, "Cape Town, South Africa"},
    {-29.86, 31.02, "Durban, South Africa"},
    {-22.56, 17.07, "Windhoek, Namibia"},
    {-18.88, 47.51, "Antananarivo, Madagascar"},
    {40.71, -74.01, "New York, United States"},
    {42.36, -71.06, "Boston, United States"},
    {39.95, -75.17, "Philadelphia, United States"},
    {38.91, -77.04, "Washington, United States"},
    {33.75, -84.39, "Atlanta, United States"},
    {25.76, -80.19, "Miami, United States"},
    {41.88, -87.63, "Chicago, United States"},
    {42.33, -83.05, "Detroit, United States"},
    {44.98, -93.27, "Minneapolis, United States"},
    {38.63, -90.20, "Saint Louis, United States"},
    {29.95, -90.07, "New Orleans, United States"},
    {29.76, -95.37, "Houston, United States"},
    {32.78, -96.80, "Dallas, United States"},
    {39.74, -104.99, "Denver, United States"},
    {40.76, -111.89, "Salt Lake City, United States"},
    {33.45, -112.07, "Phoenix, United States"},
    {35.08, -106.65, "Albuquerque, United States"},
    {36.17, -115.14, "Las Vegas, United States"},
    {34.05, -118.24, "Los Angeles, United States"},
    {32.72, -117.16, "San Diego, United States"},
    {37.77, -122.42, "San Francisco, United States"},
    {45.52, -122.68, "Portland, United States"},
    {47.61, -122.33, "Seattle, United States"},
    {43.62, -116.20, "Boise, United States"},
    {44.48, -73.21, "Burlington, United States"},
    {61.22, -149.90, "Anchorage, United States"},
    {21.31, -157.86, "Honolulu, United States"},
    {18.47, -66.11, "San Juan, Puerto Rico"},
    {43.65, -79.38, "Toronto, Canada"},
    {45.50, -73.57, "Montreal, Canada"},
    {45.42, -75.70, "Ottawa, Canada"},
    {49.90, -97.14, "Winnipeg, Canada"},
    {51.05, -114.07, "Calgary, Canada"},
    {49.28, -123.12, "Vancouver, Canada"},
    {44.65, -63.58, "Halifax, Canada"},
    {19.43, -99.13, "Mexico City, Mexico"},
    {25.69, -100.32, "Monterrey, Mexico"},
    {20.67, -103.35, "Guadalajara, Mexico"},
    {14.63, -90.51, "Guatemala City, Guatemala"},
    {9.93, -84.08, "San Jose, Costa Rica"},
    {8.98, -79.52, "Panama City, Panama"},
    {23.11, -82.37, "Havana, Cuba"},
    {18.49, -69.93, "Santo Domingo, Dominican Republic"},
    {4.71, -74.07, "Bogota, Colombia"},
    {6.24, -75.58, "Medellin, Colombia"},
    {10.48, -66.90, "Caracas, Venezuela"},
    {-0.18, -78.47, "Quito, Ecuador"},
    {-12.05, -77.04, "Lima, Peru"},
    {-16.50, -68.15, "La Paz, Bolivia"},
    {-33.45, -70.67, "Santiago, Chile"},
    {-34.60, -58.38, "Buenos Aires, Argentina"},
    {-31.42, -64.18, "Cordoba, Argentina"},
    {-34.90, -56.16, "Montevideo, Uruguay"},
    {-25.26, -57.58, "Asuncion, Paraguay"},
    {-23.55, -46.63, "Sao Paulo, Brazil"},
    {-22.91, -43.17, "Rio de Janeiro, Brazil"},
    {-15.79, -47.88, "Brasilia, Brazil"},
    {-12.97, -38.50, "Salvador, Brazil"},
    {-3.12, -60.02, "Manaus, Brazil"},
};

static double radians(double degrees)
{
    return degrees * 3.14159265358979323846 / 180.0;
}

static double distance_km(double lat_a, double lon_a, double lat_b, double lon_b)
{
    double up = sin(0.5 * radians(lat_b - lat_a));
    double across = sin(0.5 * radians(lon_b - lon_a));
    double share = up * up + cos(radians(lat_a)) * cos(radians(lat_b)) * across * across;
    return 2.0 * EARTH_RADIUS_KM * asin(fmin(sqrt(share), 1.0));
}

/* The direction from a city to a place as one of eight words. */
static const char *direction(const known_city *from, double lat_deg, double lon_deg)
{
    static const char *const words[] = {"north", "north-east", "east", "south-east",
                                        "south", "south-west", "west", "north-west"};
    double east = remainder(lon_deg - from->lon_deg, 360.0) * cos(radians(0.5 * (lat_deg + from->lat_deg)));
    double north = lat_deg - from->lat_deg;
    double turns = atan2(east, north) / radians(45.0);
    return words[((int)lround(turns) + 8) % 8];
}

const char *place_words(double lon_deg, double lat_deg, char words[PLACE_WORDS_BYTES])
{
    const known_city *nearest = &cities[0];
    double nearest_km = HUGE_VAL;
    for (size_t i = 0; i < sizeof cities / sizeof cities[0]; i++) {
        double km = distance_km(cities[i].lat_deg, cities[i].lon_deg, lat_deg, lon_deg);
        if (km < nearest_km) {
            nearest_km = km;
            nearest = &cities[i];
        }
    }
    if (nearest_km > NAMED_KM) {
        snprintf(words, PLACE_WORDS_BYTES, "more than %.0f km from any large city (the nearest is %s)", NAMED_KM,
                 nearest->name);
    } else if (nearest_km <= IN_KM) {
        snprintf(words, PLACE_WORDS_BYTES, "in or beside %s", nearest->name);
    } else {
        snprintf(words, PLACE_WORDS_BYTES, "about %.0f km %s of %s", nearest_km, direction(nearest, lat_deg, lon_deg),
                 nearest->name);
    }
    return words;
}

bool scene_place_find(rcity_context *context, const rcity_scene_info *info, scene_place *place)
{
    double corners[8] = {info->x_min_m, info->y_min_m, info->x_max_m, info->y_min_m,
                         info->x_max_m, info->y_max_m, info->x_min_m, info->y_max_m};
    if (strcmp(info->crs, "none") == 0 ||
        rcity_crs_transform(context, info->crs, RCITY_CRS_LONLAT, 4, corners) != RCITY_OK) {
        return false;
    }
    place->west_deg = fmin(corners[0], corners[6]);
    place->east_deg = fmax(corners[2], corners[4]);
    place->south_deg = fmin(corners[1], corners[3]);
    place->north_deg = fmax(corners[5], corners[7]);
    /* across the date line the middle is that of the corners, not of their numbers */
    double middle[2] = {0.5 * (info->x_min_m + info->x_max_m), 0.5 * (info->y_min_m + info->y_max_m)};
    if (rcity_crs_transform(context, info->crs, RCITY_CRS_LONLAT, 1, middle) != RCITY_OK) {
        return false;
    }
    place_words(middle[0], middle[1], place->words);
    return true;
}
