/** A place on earth in degrees; `accuracy` is the radius in metres within which it truly is. */
export type Position = { latitude: number; longitude: number; accuracy: number };

/** Kilometres. */
const earthRadius = 6371;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The distance of two places over the ground, in kilometres. */
export function distance(a: Omit<Position, "accuracy">, b: Omit<Position, "accuracy">): number {
  const [latitudeA, latitudeB] = [radians(a.latitude), radians(b.latitude)];
  const halfway = (x: number) => Math.sin(x / 2) ** 2;
  const chord =
    halfway(latitudeB - latitudeA) +
    Math.cos(latitudeA) * Math.cos(latitudeB) * halfway(radians(b.longitude - a.longitude));
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}
