import { SingleBar } from "cli-progress";

/** How far something has come, shown on a terminal only. */
export type Progress = { add(amount: number): void; stop(): void };

/** Begins a bar: what is done, how much there is of it, and how amounts are written. */
export function startProgress(title: string, total: number, written: (amount: number) => string = inCount): Progress {
  const bar = new SingleBar({
    stream: process.stderr,
    format: (_, { progress, value }) => {
      const done = Math.round(progress * width);
      const drawn = "█".repeat(done) + "░".repeat(width - done);
      return `${title.padEnd(16)} ${drawn} ${written(value)} of ${written(total)}`;
    },
    // What Ctrl-C does is the command's to say.
    gracefulExit: false,
    hideCursor: true,
    etaBuffer: 1,
  });
  bar.start(total, 0);
  return { add: (amount) => bar.increment(amount), stop: () => bar.stop() };
}

const width = 30;

/** A count as it is read: `1,234,567`. */
export const inCount = (amount: number) => amount.toLocaleString("en-GB");

const units = ["bytes", "kB", "MB", "GB", "TB"];

/** Bytes as they are read: `1.2 GB`. */
export function inBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const amount = bytes / 1000 ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`;
}
