import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { environment } from "#lib/config.ts";
import { plantedFaults } from "./planted-faults.ts";

/** Puts the fault that `PLANT` names into the source while it is loaded: `PLANT="…" node --import ./tests/simulation/plant.ts …`. */

const { PLANT = "" } = environment;
const fault = plantedFaults[PLANT];
if (!fault) throw new Error(`PLANT names no fault: ${JSON.stringify(PLANT)}`);
const faulty = pathToFileURL(join(import.meta.dirname, "../..", fault.file)).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return url === faulty ? { ...loaded, source: withFault(String(loaded.source)) } : loaded;
  },
});

function withFault(source: string) {
  if (source.split(fault!.from).length !== 2) throw new Error(`${fault!.file} is not as the fault expects it`);
  return source.replace(fault!.from, () => fault!.to);
}
