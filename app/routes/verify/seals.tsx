import { say } from "#lib/messages/staff.ts";
import type { SealRoot } from "#provider/contract/seal-keys.ts";
import { showInstant } from "../../components/text/format.ts";
import { asFailure, failure } from "../../server/provider/failure.ts";
import { getProvider } from "../../server/provider/context.ts";
import { hasSealKeys } from "../../server/seals.ts";
import { Fact } from "./record.tsx";
import type { Route } from "./+types/seals";
import { Sheet } from "./sheet.tsx";

const rootPath = "/.well-known/sealdesk-root.pem";
const keysPath = "/.well-known/jwks.json";

/** Explains seals to those who check a document, with the fingerprints of what they can trust. */
export async function loader({ context, url }: Route.LoaderArgs) {
  if (!hasSealKeys()) throw failure(404, { kind: "refused", message: say("seals.notHere") });
  return { host: url.host, roots: await readRoots(context) };
}

/** Undefined where the visitor's network has read them too often. */
async function readRoots(context: Route.LoaderArgs["context"]) {
  try {
    return await getProvider(context).publishedSealRoots();
  } catch (thrown) {
    if (asFailure(thrown, 429)) return undefined;
    throw thrown;
  }
}

export default function Seals({ loaderData: { host, roots } }: Route.ComponentProps) {
  return (
    <Sheet title={say("seals.title")} isEnglish>
      <div className="part">
        <h1>{say("seals.heading", { host })}</h1>
        <p>{say("seals.whatTheyAre")}</p>
      </div>
      <div className="part foot">
        <h2>{say("seals.notSaid.heading")}</h2>
        <ul>
          <li>{say("seals.notSaid.company", { host })}</li>
          <li>{say("seals.notSaid.person")}</li>
          <li>{say("seals.notSaid.inForce")}</li>
          <li>{say("seals.notSaid.original")}</li>
        </ul>
      </div>
      <div className="part foot">
        <h2>{say("seals.roots.heading")}</h2>
        <p className="muted">{say("seals.roots.howToTrust")}</p>
        <Roots roots={roots} />
      </div>
      <div className="part foot">
        <h2>{say("seals.keys.heading")}</h2>
        <p className="muted">{say("seals.keys.whatTheyAre")}</p>
        <p className="acts">
          <a className="btn" href={keysPath}>
            {say("seals.keys.open")}
          </a>{" "}
          <a className="btn" href="/check">
            {say("check.title")}
          </a>
        </p>
      </div>
    </Sheet>
  );
}

function Roots({ roots }: { roots: SealRoot[] | undefined }) {
  if (!roots) return <p>{say("seals.roots.notNow")}</p>;
  if (roots.length === 0) return <p>{say("seals.roots.noneYet")}</p>;
  return (
    <>
      {roots.map(({ subject, fingerprint, since, retired_at }) => (
        <dl key={fingerprint} className="root">
          <Fact name={say("seals.roots.name")} value={subject} />
          <Fact name={say("seals.roots.inUse")} value={inUse(since, retired_at)} />
          <Fact name={say("seals.roots.fingerprint")} value={fingerprint.replaceAll(":", " ")} />
        </dl>
      ))}
      <a className="btn" href={rootPath} download>
        {say("seals.roots.download", { count: roots.length })}
      </a>
    </>
  );
}

const inUse = (since: string, retired: string | null) =>
  retired
    ? say("seals.roots.sinceUntil", { since: day(since), until: day(retired) })
    : say("seals.roots.since", { since: day(since) });

const day = (instant: string) => showInstant(instant, "UTC").split(" ")[0]!;
