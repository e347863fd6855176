import { afterAll } from "vitest";
import { endProviders } from "./testing.ts";

// Runs for each test file, where modules are shared between them: a hook in one of those would be set for the first alone.
afterAll(endProviders);
