/** What is kept over full loads. */
export const [keptNotice, keptEntries] = ["notice", "entries"] as const;

/** Texts that outlive full loads of this tab, and nothing else. Browsers may refuse to store them. */
export function keepInTab(key: string, text: string | undefined) {
  try {
    if (text === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {}
}

export function readFromTab(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function takeFromTab(key: string): string | undefined {
  const text = readFromTab(key);
  keepInTab(key, undefined);
  return text;
}
