import { randomInt, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

/**
 * A process of its own that keeps so many sign-ins under way until it is killed: each from another network and to another
 * account; to one account, which slows them down; or from one network, which refuses them.
 */
const [url, atOnce, kind] = [process.argv[2]!, Number(process.argv[3]), process.argv[4]];
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

const statuses: Record<string, number> = {};

function signIn(): Promise<void> {
  const account = kind === "one account" ? "helen%40hallam.example" : `${randomUUID()}%40nobody.example`;
  const body = `email=${account}&password=a+wrong+guess`;
  const network = kind === "one network" ? 1 : randomInt(0x10000);
  const address = `${network.toString(16)}:${network}:${network}:1::${randomInt(0x10000).toString(16)}`;
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": body.length,
    "x-forwarded-for": `2a01:${address}`,
    origin: url,
  };
  return new Promise((resolve) => {
    const sent = request(`${url}/login`, { method: "POST", agent, headers }, (response) => {
      const status = String(response.statusCode);
      statuses[status] = (statuses[status] ?? 0) + 1;
      response.resume();
      response.once("close", resolve);
    });
    sent.once("error", () => resolve());
    sent.end(body);
  });
}

for (let n = 0; n < atOnce; n++) {
  void (async () => {
    for (;;) await signIn();
  })();
}
setTimeout(() => process.send!("under way"), 1000);
process.once("SIGTERM", () => {
  console.log(JSON.stringify(statuses));
  process.exit(0);
});
