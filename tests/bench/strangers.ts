import { randomInt, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

/** A process of its own that keeps so many sign-ins under way until it is killed, each from another network. */

const [url, atOnce] = [process.argv[2]!, Number(process.argv[3])];
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

const statuses: Record<string, number> = {};

function signIn(): Promise<void> {
  const body = `email=${randomUUID()}%40nobody.example&password=a+wrong+guess`;
  const address = Array.from({ length: 8 }, () => randomInt(0x10000).toString(16)).join(":");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": body.length,
    "x-forwarded-for": `2a${address.slice(2)}`,
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
