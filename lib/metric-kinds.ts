import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { type NumberSource, read, type Values } from "./metric-sources.ts";

/** How the metrics of this process are made and registered. */

export const registry = new Registry();

type Naming<Label extends string> = { name: string; help: string; labels?: readonly Label[] };

const options = <Label extends string>({ name, help, labels = [] }: Naming<Label>) => ({
  name: `sealdesk_${name}`,
  help,
  labelNames: labels,
  registers: [registry],
});

/** `values` are those of each label, with which it is there before it counts. */
export function counter<const Label extends string = never>({ values, ...naming }: Naming<Label> & Started<Label>) {
  const created = new Counter(options(naming));
  if (values) startAtZero(created, values);
  return created;
}

type Started<Label extends string> = { values?: Record<Label, readonly string[]> };

/** Makes a sample of each combination of labels: `increase()` overlooks the step from no sample to the first event. */
export function startAtZero<Label extends string>(
  counter: Pick<Counter<Label>, "inc">,
  values: Record<Label, readonly string[]>,
) {
  const all = Object.entries<readonly string[]>(values).reduce<Record<string, string>[]>(
    (sets, [label, each]) => sets.flatMap((set) => each.map((value) => ({ ...set, [label]: value }))),
    [{}],
  );
  for (const labels of all) counter.inc(labels as Parameters<Counter<Label>["inc"]>[0] & object, 0);
}

export const gauge = <const Label extends string = never>(
  naming: Naming<Label>,
  collect?: (this: Gauge<Label>) => void | Promise<void>,
) => new Gauge({ ...options(naming), ...(collect && { collect }) });

/** A gauge of values read at each scrape, by their label; without those that can't be read. */
export const storedGauge = <const Label extends string>(
  naming: Naming<Label> & { labels: readonly [Label] },
  values: Record<string, NumberSource>,
) =>
  gauge<Label>(naming, async function collect() {
    for (const [value, source] of Object.entries(values)) {
      const labels = { [naming.labels[0]]: value } as Record<Label, string>;
      const amount = await read(source);
      if (amount === undefined) this.remove(labels);
      else this.set(labels, amount);
    }
  });

/** A gauge with a sample for each value of a label, as read at a scrape; with none if that fails. */
export const listGauge = <const Label extends string, Name extends keyof Values>(
  naming: Naming<Label> & { labels: readonly [Label] },
  source: Name,
  samples: (values: Values[Name]) => (readonly [value: string, amount: number])[],
) =>
  gauge<Label>(naming, async function collect() {
    const values = await read(source);
    this.reset();
    for (const [value, amount] of values === undefined ? [] : samples(values)) {
      this.set({ [naming.labels[0]]: value } as Record<Label, string>, amount);
    }
  });

/** Buckets are upper bounds in seconds. */
export const histogram = <const Label extends string = never>(naming: Naming<Label>, buckets: number[]) =>
  new Histogram({ ...options(naming), buckets });

/** Node's own metrics, without three gauges whose names promise counters. */
export function collectNodeMetrics() {
  collectDefaultMetrics({ register: registry });
  for (const kind of ["handles", "requests", "resources"]) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
}
