/** A position in degrees; `accuracy` is the radius in metres around it. */
export type Position = { latitude: number; longitude: number; accuracy: number };

const earthRadiusKm = 6371;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance of two positions, in kilometres (haversine). */
export function distance(a: Omit<Position, "accuracy">, b: Omit<Position, "accuracy">): number {
  const [latitudeA, latitudeB] = [radians(a.latitude), radians(b.latitude)];
  const haversine = (x: number) => Math.sin(x / 2) ** 2;
  const chord =
    haversine(latitudeB - latitudeA) +
    Math.cos(latitudeA) * Math.cos(latitudeB) * haversine(radians(b.longitude - a.longitude));
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(chord)));
}
