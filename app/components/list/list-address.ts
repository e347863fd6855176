import { useSearchParams } from "react-router";

/** A list's address as it was left, which pages of its records have as `from`; without that, the list's path. */
export function listAddress(list: string, searchParams: URLSearchParams): string {
  const from = searchParams.get("from") ?? "";
  // Always the given path, so that no address leads anywhere else.
  return from.startsWith(`${list}?`) ? `${list}?${new URLSearchParams(from.slice(list.length + 1))}` : list;
}

/** The same for the page that is shown; other addresses stay as they are. */
export const useListAddress = (to: string) => listAddress(to, useSearchParams()[0]);
