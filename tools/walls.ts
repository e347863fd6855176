import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What each room may import of ours beside the units: `lib/bounds.ts`, `lib/bytes-within.ts`, `lib/dates.ts`,
 * `lib/send-request.ts`, `lib/text.ts` and `lib/units.ts`. `npm run check` holds every file to this table
 * (`.dependency-cruiser.mjs`), and `walls.test.ts` breaks each wall once.
 */
export type Room = {
  name: string;
  /** Its files, as a regular expression on paths from the repository's root. */
  files: string;
  /** Files of it that are a room of their own. */
  except?: string[];
  /** The rooms that it may import from beside itself. */
  mayImport: string[];
  why: string;
};

const contract = "^provider/contract/";
const metrics = "^lib/(metric-(kinds|sources)|metrics|tracing)\\.ts$";
const config = "^lib/(config|misspelt-settings)\\.ts$";
const units = "^lib/(bounds|bytes-within|dates|send-request|text|units)\\.ts$";
const draftTables = "^app/server/drafts/tables\\.ts$";
const samples = "^provider/samples/";
const seal = "^lib/seal/";
const log = "^lib/log/";
const messages = "^lib/messages/";
const unitTests = "\\.test\\.ts$";
const lowRooms = ["^lib/intake/", "^lib/storage/", "^lib/page-files/", messages, seal, log, metrics];

export const rooms: Room[] = [
  {
    name: "root-files",
    files:
      "^lib/(bounds|bytes-within|config|dates|metric-(kinds|sources)|metrics|misspelt-settings|send-request|settings|text|tracing|units)\\.ts$",
    mayImport: ["^lib/settings\\.ts$"],
    why: "Settings, metrics and units know no room.",
  },
  {
    name: "storage",
    files: "^lib/storage/",
    mayImport: [metrics],
    why: "Storage knows nothing of the rooms above it.",
  },
  {
    name: "intake",
    files: "^lib/intake/",
    mayImport: ["^lib/storage/", metrics],
    why: "Forms are read without knowing what they are about.",
  },
  {
    name: "seal",
    files: "^lib/seal/",
    mayImport: [],
    why: "Certificates and signatures are made of bytes and keys alone.",
  },
  {
    name: "log",
    files: log,
    mayImport: [],
    why: "Proofs and witnesses are made of bytes and keys alone.",
  },
  {
    name: "messages",
    files: messages,
    mayImport: [],
    why: "Translators and all rooms read the catalogue, which knows none of them.",
  },
  {
    name: "page-files",
    files: "^lib/page-files/",
    mayImport: ["^lib/intake/", "^lib/storage/", seal, metrics],
    why: "Page files and tables are worked on without knowing whose they are.",
  },
  {
    name: "contract",
    files: contract,
    mayImport: ["^lib/messages/languages\\.ts$"],
    why: "Browsers load the contract, which is zod schemas and names of languages.",
  },
  {
    name: "provider",
    files: "^provider/",
    except: [contract],
    mayImport: lowRooms,
    why: "The provider is given what it needs and knows no web app.",
  },
  {
    name: "components",
    files: "^app/components/",
    mayImport: ["^app/first-paint/table-rows\\.tsx$", messages],
    why: "A component knows its props and other components.",
  },
  {
    name: "first-paint",
    files: "^app/first-paint/",
    mayImport: [config, "^app/app\\.css$"],
    why: "The first paint can be removed without a look at any page.",
  },
  {
    name: "server",
    files: "^app/server/",
    except: ["^app/server/provider/"],
    mayImport: [contract, config, ...lowRooms],
    why: "The server knows neither routes nor components, and the provider by its client alone.",
  },
  {
    name: "provider-client",
    files: "^app/server/provider/",
    mayImport: ["^app/server/", "^provider/", config, ...lowRooms],
    why: "The client alone knows the embedded provider.",
  },
  {
    name: "routes",
    files: "^app/(routes/|root\\.tsx$)",
    mayImport: [
      "^app/(components|first-paint|server)/",
      "^app/[^/]+$",
      "^app/offline/worker\\.js$",
      contract,
      messages,
    ],
    why: "A route parses, calls the provider's client and renders.",
  },
  {
    name: "offline",
    files: "^app/offline/",
    mayImport: ["^app/components/", contract, messages, seal],
    why: "The offline check knows no server.",
  },
  {
    name: "entries",
    files: "^app/[^/]+$",
    except: ["^app/root\\.tsx$"],
    mayImport: ["^app/", contract, config, metrics, "^lib/storage/start-refusal\\.ts$"],
    why: "Entries put routes and server together.",
  },
  {
    name: "commands",
    files: "^commands/",
    except: ["^commands/(participants|worker)\\.ts$"],
    mayImport: ["^provider/", config, ...lowRooms],
    why: "Commands know the web app's tables by commands/participants.ts alone, and its jobs by commands/worker.ts.",
  },
  {
    name: "worker-command",
    files: "^commands/worker\\.ts$",
    mayImport: ["^commands/", "^app/server/worker/run\\.ts$", config],
    why: "The worker is the web app's own, started alone.",
  },
  {
    name: "backup-participants",
    files: "^commands/participants\\.ts$",
    mayImport: ["^commands/", "^provider/", draftTables, ...lowRooms],
    why: "A backup copies the web app's tables and needs nothing else of it.",
  },
  {
    name: "journeys",
    files: "^tests/",
    except: ["^tests/(support|fixtures|simulation)/"],
    mayImport: ["^tests/support/", config],
    why: "Journeys know the browser and HTTP.",
  },
  {
    name: "test-support",
    files: "^tests/support/",
    mayImport: ["^tests/fixtures/", "^commands/", "^provider/", config, ...lowRooms],
    why: "Support starts servers and samples, and knows no web app.",
  },
  {
    name: "test-fixtures",
    files: "^tests/fixtures/",
    mayImport: ["^tests/support/", "^provider/", ...lowRooms],
    why: "Fixtures are for unit tests of the rooms below the web app.",
  },
  {
    name: "simulation",
    files: "^tests/simulation/",
    mayImport: ["^tests/(support|fixtures)/", "^commands/participants\\.ts$", "^provider/", config, ...lowRooms],
    why: "The simulation drives the provider in process, and knows no web app.",
  },
];

const ours = ["^(app|commands|lib|provider|tests|tools)/"];

/** The files that the route table names. */
const routeModules = [
  ...readFileSync(join(import.meta.dirname, "../app/routes.ts"), "utf8").matchAll(/"(routes\/[^"]+)\.(tsx?)"/g),
].map(([, path, extension]) => `^app/${path}\\.${extension}$`);

/** The rules of dependency-cruiser that the table comes to. */
export const forbidden = [
  ...rooms.map(({ name, files, except = [], mayImport, why }) => ({
    name: `wall-of-${name}`,
    comment: why,
    severity: "error",
    from: { path: files, pathNot: [...except, unitTests] },
    to: { path: ours, pathNot: [files, units, ...mayImport] },
  })),
  {
    name: "samples-in-provider",
    comment: "Samples are made with the provider's own rules, by commands and tests; nothing else knows them.",
    severity: "error",
    from: { path: ["^(app|lib|provider)/", "^commands/participants\\.ts$"], pathNot: [samples, unitTests] },
    to: { path: samples },
  },
  {
    name: "routes-of-other-nouns",
    comment: "What two nouns' routes need belongs into app/components or app/server.",
    severity: "error",
    from: { path: "^app/routes/([^/]+)/.+" },
    to: { path: "^app/routes/[^/]+/", pathNot: ["^app/routes/$1/"] },
  },
  {
    name: "server-files-of-routes",
    comment: "React Router keeps .server.ts out of browsers: beside route modules, server code of a route is named so.",
    severity: "error",
    from: { path: "^app/routes/", pathNot: [...routeModules, "\\.server\\.ts$", unitTests] },
    to: { path: "^app/server/", dependencyTypesNot: ["type-only"] },
  },
  {
    name: "tests-in-production",
    comment: "What runs in production imports no tests and nothing of them.",
    severity: "error",
    from: { path: ours, pathNot: ["^tests/", unitTests] },
    to: { path: ["^tests/", unitTests] },
  },
  {
    name: "development-packages",
    comment: "What runs in production is in dependencies.",
    severity: "error",
    from: { path: ours, pathNot: ["^tests/", "^tools/", "^app/routes\\.ts$", unitTests] },
    to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
  },
  {
    name: "circles",
    comment: "Files that import each other, types included, can't be read one by one.",
    severity: "error",
    from: {},
    to: { circular: true },
  },
];
