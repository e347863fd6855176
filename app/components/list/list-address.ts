import { useSearchParams } from "react-router";

/** The address that a list was left at, from the parameter `from` of its record's page; the list's path without one. */
export function listAddress(list: string, searchParams: URLSearchParams): string {
  const from = searchParams.get("from") ?? "";
  // Always the given path, so that no address leads anywhere else.
  return from.startsWith(`${list}?`) ? `${list}?${new URLSearchParams(from.slice(list.length + 1))}` : list;
}

/** The same for the current page; `to` itself if it is no list's path. */
export const useListAddress = (to: string) => listAddress(to, useSearchParams()[0]);
