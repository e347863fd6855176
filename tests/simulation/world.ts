import { createHash } from "node:crypto";
import { sql } from "kysely";
import { secondsInMs } from "#lib/units.ts";
import { violations } from "#provider/db/consistency.ts";
import type { OutgoingMessage } from "#provider/mail/mail.ts";
import { hashPassword } from "#provider/passwords/passwords.ts";
import { insertCompany } from "#provider/sessions/signup.ts";
import { password } from "../fixtures/template.ts";
import { createDisk, type Disk } from "./disk.ts";
import { gate, openGates, runTask, setInjection, taskOf } from "./gates.ts";
import { createIdentityProviders, isIdentityProvider } from "./identity-provider.ts";
import type { Event, Input, Model, Observation, Person, Reply, Start } from "./observation.ts";
import { quickPages } from "./pages.ts";
import { type Received, setClock, setReceiver } from "./patches.ts";
import { habits } from "./people/habits.ts";
import { type Company, Visitor } from "./people/visitor.ts";
import type { Burst, Fault, Visit } from "./plan.ts";
import { type Backup, clearAfterRestore } from "./backup.ts";
import { Lost, openProcess, type Place, type Process, type Role } from "./process.ts";
import { type Choices, choicesOf } from "./random.ts";
import { type CallName, requestOf, rowsOfReply } from "./scim.ts";

type Breach = { at: Date; burst: number; sentence: string };
type Options = { seed: number; place: Place; start: Date; companies: Company[]; model: Model };

const upgraded = ["documents", "users", "outbox", "webhook_deliveries", "access_groups", "alerts"];

const pageFiles = quickPages();

/** One seed's world: companies with their people, and a provider that is killed and started again. */
export class World {
  readonly breaches: Breach[] = [];
  /** What was seen, a line each. */
  readonly lines: string[] = [];
  readonly figures = { calls: 0, gates: 0 };
  readonly #options: Options;
  readonly #disk: Disk;
  readonly #inbox: { to: string; text: string }[] = [];
  readonly #identityProviders = createIdentityProviders();
  readonly #trace = createHash("sha256");
  #now: Date;
  #burst = 0;
  #steps = 0;
  #tasks = 0;
  #messages = 0;
  #isBusy = false;
  readonly #processes: Partial<Record<Role, Process>> = {};
  readonly #nudged = new Set<string>();
  readonly #skewMs: Record<Role, number> = { server: 0, worker: 0 };
  #backup: Backup | undefined;
  #upgrades = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.start;
    this.#disk = createDisk(options.place.directory);
    setReceiver((received) => this.#receive(received));
  }

  get trace() {
    return this.#trace.copy().digest("hex");
  }

  /** Adds the companies with an administrator each, which are there before the model looks. */
  async found() {
    this.#advance(this.#now);
    await this.#start("server");
    await this.#start("worker");
    const passwordHash = await hashPassword(password);
    const { db } = this.#server.services;
    for (const { name, people, timeZone } of this.#options.companies) {
      const { email, name: founder } = people[0]!;
      const task = this.#task(this.#server, "founding");
      const work = async () => {
        await insertCompany(db, { company: name, name: founder, email }, passwordHash, this.#now);
        await db.updateTable("companies").where("name", "=", name).set({ timezone: timeZone }).execute();
      };
      await this.#together(task.choices, [() => runTask(task, work)]);
    }
  }

  async run(burst: Burst) {
    this.#burst = burst.n;
    if (burst.fault?.what === "restore" && this.#backup) await this.#restore(this.#backup);
    if (burst.fault?.what === "upgrade") await this.#upgrade(burst.fault.role);
    this.#advance(burst.at > this.#now ? burst.at : this.#now);
    this.#isBusy = !burst.isRest;
    const choices = choicesOf(this.#options.seed, "burst", burst.n);
    this.#beginFault(burst.fault);
    const due = choices.happens(0.3) ? this.#worker.takeDueJobs() : [];
    await this.#together(
      choices,
      [...this.#runsOf(due), ...burst.visits.map((one) => () => this.#visit(one))],
      burst.fault,
    );
    this.#endFault();
    await this.#runJobs(choices, choices.happens(0.3) || burst.isRest ? "due" : "nudged");
    if (burst.isRest) await this.#rest(choices);
    if (burst.isBackedUp) await this.#backUp();
  }

  async close() {
    await this.#worker.kill();
    await this.#server.kill();
  }

  get #server() {
    return this.#processes.server!;
  }

  get #worker() {
    return this.#processes.worker!;
  }

  #beginFault(fault: Fault | undefined) {
    if (!fault || ["kill", "restore", "upgrade"].includes(fault.what)) return;
    this.#tell({ kind: "fault", at: this.#now, what: fault.what });
    if (fault.what === "clock jump") this.#skewMs[fault.role] = fault.ms;
    let commits = 0;
    // Together less than a process waits for a transaction of the other's: at a gate it would last as long as all files do.
    let slowFiles = 2;
    setInjection((_, what) => {
      const isDisk = ["file", "space"].includes(what);
      if (fault.what === "slow disk" && isDisk && slowFiles-- > 0)
        this.#advance(new Date(this.#now.getTime() + secondsInMs(2)));
      if (fault.what === "disk full" && isDisk) return diskFull();
      const isLost =
        what === (fault.what === "lost commit" ? "commit" : fault.what === "lost answer" ? "committed" : "");
      return isLost && ++commits === fault.after ? lostConnection() : undefined;
    });
  }

  #endFault() {
    setInjection(() => undefined);
    Object.assign(this.#skewMs, { server: 0, worker: 0 });
  }

  /** Runs work until all of it is done, with a fault at one of its gates. */
  async #together(choices: Choices, work: (() => Promise<unknown>)[], fault?: Fault) {
    let open = work.length;
    const failures: unknown[] = [];
    for (const one of work) {
      void one()
        .catch((error: unknown) => failures.push(error))
        .finally(() => open--);
    }
    const onStep = async (step: number) => {
      this.figures.gates++;
      this.#advance(new Date(this.#now.getTime() + 1));
      if (fault?.what === "kill" && step === fault.after) await this.#restart(fault.role);
    };
    await openGates(choices, () => open === 0, onStep);
    if (failures.length > 0) throw failures[0];
  }

  /** Makes a call as a person; throws `Lost` if the process ends before it is answered. */
  async #call(by: Person, name: CallName, input: Input, session?: string): Promise<Reply> {
    const [at, began, current] = [this.#now, ++this.#steps, this.#server];
    this.figures.calls++;
    const observe = (reply: Observation["reply"]) => {
      const { token: _, ...rest } = input;
      const seen = { at, began, ended: ++this.#steps, by, ...(session && { session }), call: name, reply };
      this.#note("call", { ...seen, input: rest.body instanceof FormData ? { ...rest, body: [...rest.body] } : rest });
      this.report(this.#options.model.observe({ ...seen, input: rest }));
    };
    const work = runTask(this.#task(current, name), async () => {
      await gate("begin");
      const response = await current.provider.fetch(...requestOf(name, input));
      const text = await response.text();
      await current.services.access.flush();
      await gate("reply");
      const isJson = response.headers.get("content-type")?.includes("json") ?? false;
      const headers = Object.fromEntries(response.headers);
      return { status: response.status, json: rowsOfReply(name, isJson ? JSON.parse(text) : undefined), headers };
    });
    const reply = await Promise.race([work, current.died.promise]).catch((error: unknown) => {
      if (!(error instanceof Lost)) throw error;
      observe("lost");
      throw error;
    });
    observe(reply);
    return reply;
  }

  async #runJob(name: string) {
    const current = this.#worker;
    const work = runTask(this.#task(current, name), async () => {
      await gate("begin");
      await current.job(name)!.run(new AbortController().signal);
    });
    try {
      await Promise.race([work, current.died.promise]);
      this.#tell({ kind: "job", at: this.#now, name });
    } catch (error) {
      if (error instanceof Lost) return;
      const sentence = `job ${name} failed: ${(error as Error).message}`;
      this.#note("job failed", { sentence });
      if (!(error instanceof Injected)) this.report([`H-01: ${sentence}`]);
    }
  }

  #runsOf(jobs: { name: string }[]) {
    return jobs.map((job) => () => this.#runJob(job.name));
  }

  async #runJobs(choices: Choices, which: "due" | "nudged") {
    for (let round = 0; round < 5; round++) {
      const due = this.#worker.takeDueJobs(round === 0 ? which : "nudged");
      if (due.length === 0) return;
      await this.#together(choices, this.#runsOf(due));
      // A process that dies after its work and before it has said so is followed by one that does it again.
      const again = choices.happens(0.1) && choices.pick(due);
      if (again) await this.#together(choices, this.#runsOf([again]));
    }
  }

  async #visit({ n, who, habit }: Visit) {
    await habits[habit]!(this.#visitor(who, n)).catch((error: unknown) => {
      if (!(error instanceof Lost)) throw error;
    });
  }

  #visitor(who: string, n: number) {
    const { seed, companies } = this.#options;
    const call = this.#call.bind(this);
    const { authorize } = this.#identityProviders;
    const now = () => this.#now;
    return new Visitor({ seed: `${seed}/${n}`, who, companies, call, authorize, inbox: this.#inbox, now });
  }

  /** Has the model ask and compare, and backs up. */
  async #rest(choices: Choices) {
    const visitors = new Map<string, Visitor>();
    const ask = async (by: Person, name: CallName, input: Input = {}) => {
      const who = `${by.company ?? ""}/${by.email?.split("@")[0] ?? by.name}`;
      const visitor = visitors.get(who) ?? this.#visitor(who, 0);
      visitors.set(who, visitor);
      return visitor.call(name, input);
    };
    await this.#together(choices, [async () => this.report(await this.#options.model.rest(this.#now, ask))]);
    for await (const violation of violations(this.#server.services.db)) this.report([`H-03: ${violation}`]);
  }

  async #backUp() {
    await this.close();
    await this.#options.place.copy();
    this.#backup = { at: this.#now, files: this.#disk.copy() };
    await this.#start("server");
    await this.#start("worker");
  }

  /** Goes back to last night's backup, as `restore` does. */
  async #restore({ at, files }: Backup) {
    this.#tell({ kind: "fault", at: this.#now, what: "restore of the last backup" });
    await this.close();
    await this.#options.place.restore();
    this.#disk.restore(files);
    await this.#start("server");
    await clearAfterRestore(this.#server.services.db);
    await this.#start("worker");
    this.#tell({ kind: "restored", at: this.#now, to: at });
  }

  /** One process is the next version's, which has added a column; the other one is still this version's. */
  async #upgrade(role: Role) {
    const table = upgraded[this.#upgrades % upgraded.length]!;
    this.#tell({ kind: "fault", at: this.#now, what: `upgrade of the ${role}: ${table}` });
    await this.#processes[role]!.kill();
    const { db } = this.#processes[role === "server" ? "worker" : "server"]!.services;
    const column = `later_${++this.#upgrades} text not null default 'before'`;
    await sql.raw(`alter table ${table} add column ${column}`).execute(db);
    await this.#start(role);
  }

  async #restart(role: Role) {
    this.#tell({ kind: "fault", at: this.#now, what: `kill of the ${role}` });
    await this.#processes[role]!.kill();
    await this.#start(role);
  }

  async #start(role: Role) {
    const send = (message: OutgoingMessage) => this.#send(message);
    const onError = (message: string) => this.#note("error", { message });
    const now = () => new Date(this.#now.getTime() + this.#skewMs[role]);
    const shared = { disk: this.#disk, pageFiles, mail: { send }, onError, nudged: this.#nudged };
    this.#processes[role] = await openProcess(this.#options.place, { role, now, ...shared });
  }

  /** Between two bursts all that is due is sent. */
  #isHindered = () => this.#isBusy && choicesOf(this.#options.seed, "network", ++this.#messages).happens(0.1);

  async #send({ to, subject, text, id, handOver }: OutgoingMessage) {
    await gate("mail");
    await handOver?.();
    this.#inbox.push({ to, text });
    const isAnswered = !this.#isHindered();
    this.#tell({ kind: "mail", at: this.#now, to, subject, text, id, isAnswered });
    await gate("mailed");
    if (!isAnswered) throw lostConnection();
  }

  async #receive({ url, headers, body }: Received) {
    if (isIdentityProvider(url)) return this.#identityProviders.answer(url, body);
    const isAnswered = !this.#isHindered() && !this.#isHindered();
    const id = headers["webhook-id"]!;
    this.#tell({ kind: "webhook", at: this.#now, url, body: JSON.parse(body), id, isAnswered });
    return isAnswered ? { status: 204 } : undefined;
  }

  #task = (process: Process, name: string) => taskOf(process, this.#options.seed, `${name} ${++this.#tasks}`);

  #advance(to: Date) {
    this.#now = to;
    setClock(to);
  }

  #tell(event: Event) {
    this.#note(event.kind, event);
    this.report(this.#options.model.event(event));
  }

  report(sentences: string[]) {
    for (const sentence of sentences) this.breaches.push({ at: this.#now, burst: this.#burst, sentence });
  }

  #note(kind: string, what: object) {
    const line = JSON.stringify([kind, what], withoutOpaque);
    this.#trace.update(line);
    this.lines.push(line);
  }
}

/** An error that the world made. */
class Injected extends Error {}
const diskFull = () => Object.assign(new Injected("no space left on device"), { code: "ENOSPC" });
const lostConnection = () => Object.assign(new Injected("the connection was lost"), { code: "08006" });

/** Fields that keys and signatures make different in each run. */
const opaque = new Set("token scan key public_key secret qrcode verify_url log_entry link headers".split(" "));

function withoutOpaque(name: string, value: unknown) {
  if (opaque.has(name)) return "…";
  return typeof value === "string" && name === "text" ? value.replace(/token=[\w-]+/g, "token=…") : value;
}

export const startOf = (companies: Company[]): Start => ({
  administrators: companies.map(({ people }) => people[0]!.person),
  timeZones: Object.fromEntries(companies.map(({ name, timeZone }) => [name, timeZone])),
});
