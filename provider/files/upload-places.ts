import { createReservations } from "#lib/storage/files/reservations.ts";
import { serviceUnavailable } from "../http/errors.ts";

/** At most `limit` uploads can have a place at once. */
type Place = { of: string; limit: number };

const retryAfter = 10;

/** Returns a function that takes several places together, or throws 503, and returns their release. */
export function createPlaces(tooMany: string) {
  const reservations = createReservations<string>();
  return function takePlaces(places: Place[]): () => void {
    if (places.some(({ of, limit }) => reservations.of(of) >= limit)) throw serviceUnavailable(tooMany, retryAfter);
    const releases = places.map(({ of }) => reservations.reserve(of, 1));
    return () => releases.forEach((end) => end());
  };
}
