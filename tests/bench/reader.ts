import { fork } from "node:child_process";
import { once } from "node:events";

/** Reads a page again and again in a process of its own, so that what else this one does adds nothing to the times. */
export function startReader({ url, cookie }: { url: string; cookie: string }) {
  const reader = fork(import.meta.filename, [url, cookie]);
  return {
    /** The seconds of each of so many readings. */
    async times(count: number): Promise<number[]> {
      reader.send(count);
      return ((await once(reader, "message")) as [number[]])[0];
    },
    stop: () => reader.kill(),
  };
}

if (import.meta.main) {
  const [url, cookie] = process.argv.slice(2) as [string, string];
  process.on("message", async (count: number) => {
    const seconds = [];
    for (let n = 0; n < count; n++) {
      const begun = performance.now();
      await (await fetch(url, { headers: { cookie } })).text();
      seconds.push((performance.now() - begun) / 1000);
    }
    process.send!(seconds);
  });
}
