import { fold } from "#lib/text.ts";
import type { RouterContextProvider } from "react-router";
import { countries } from "./countries.ts";
import { orUndefinedIfHidden } from "./provider/failure.ts";
import { getProvider } from "./provider/context.ts";
import { getOffers } from "./sessions/current-user.ts";

/** What the company's users and branches have, and all countries, to complete what is typed into these fields. */
export async function readSuggestions(context: Readonly<RouterContextProvider>) {
  const used = getOffers(context).lists ? await orUndefinedIfHidden(getProvider(context).listSuggestions()) : undefined;
  const own = new Set(used?.countries.map((country) => fold(country)));
  const others = countries.filter((country) => !own.has(fold(country)));
  const suggest = (options: string[]) => ({ options, isOpen: true });
  return { country: suggest([...(used?.countries ?? []), ...others]), role: suggest(used?.roles ?? []) };
}
