import { closest, distance } from "fastest-levenshtein";
import { settings } from "./settings.ts";

const names = Object.keys(settings.shape).flatMap((name) => [name, `${name}_FILE`]);

/** Below that, other programs' variables are as near: POST, HOSTS. */
const minLength = 6;
const maxDistance = 2;

/** The variables that are no settings but almost, by the setting that they may have meant. */
export function misspeltSettings(variables: Record<string, string | undefined>): { given: string; nearest: string }[] {
  return Object.keys(variables).flatMap((given) => {
    if (given.length < minLength || names.includes(given)) return [];
    const upper = given.toUpperCase().replaceAll("-", "_");
    const nearest = closest(upper, names);
    return distance(nearest, upper) <= maxDistance ? [{ given, nearest }] : [];
  });
}
