/**
 * Works on what `next` returns, one of each company, again and again until it returns nothing or all work returns false:
 * then none can go on now.
 */
export async function takeTurnsByCompany<Item>({
  next,
  work,
  signal,
}: {
  next(): Promise<Item[]>;
  work(item: Item): Promise<boolean>;
  signal: AbortSignal;
}) {
  for (let goesOn = true; goesOn;) {
    goesOn = false;
    for (const item of await next()) {
      if (signal.aborted) return;
      goesOn = (await work(item)) || goesOn;
    }
  }
}
