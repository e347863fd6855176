import fc from "fast-check";
import { environment } from "#config";

// Every property's random cases come from the seed of the day, which is printed (`fuzz.ts`).
fc.configureGlobal({ seed: Number(environment.FUZZ_SEED) });
