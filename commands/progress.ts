import { SingleBar } from "cli-progress";

/** A progress bar, on a terminal only. */
export type Progress = { add(amount: number): void; stop(): void };

export function startProgress(
  title: string,
  total: number,
  format: (amount: number) => string = formatCount,
): Progress {
  const bar = new SingleBar({
    stream: process.stderr,
    format: (_, { progress, value }) => {
      const done = Math.round(progress * width);
      const drawn = "█".repeat(done) + "░".repeat(width - done);
      return `${title.padEnd(16)} ${drawn} ${format(value)} of ${format(total)}`;
    },
    // Commands handle Ctrl-C themselves.
    gracefulExit: false,
    hideCursor: true,
    etaBuffer: 1,
  });
  bar.start(total, 0);
  return { add: (amount) => bar.increment(amount), stop: () => bar.stop() };
}

const width = 30;

/** `1,234,567` */
export const formatCount = (amount: number) => amount.toLocaleString("en-GB");

const units = ["bytes", "kB", "MB", "GB", "TB"];

/** `1.2 GB` */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const amount = bytes / 1000 ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`;
}

const maxLines = 100;

/** Returns a function that prints the first hundred lines it gets, and says then that `title` is only counted. */
export function printFirst(title: string): (line: string) => void {
  let lines = 0;
  return (line) => {
    lines++;
    if (lines <= maxLines) console.log(line);
    if (lines === maxLines + 1) console.log(`${title} after these ${maxLines} are only counted.`);
  };
}
