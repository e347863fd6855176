// Loaded whole before any test: if it is first needed within a test that is out of stack or memory, half of it stays for all.
import "node:tls";
import fc from "fast-check";
import { environment } from "#lib/config.ts";

// Every property's random cases come from the run's seed, which is printed (`fuzz.ts`).
fc.configureGlobal({ seed: Number(environment.FUZZ_SEED) });
