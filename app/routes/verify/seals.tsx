import { t } from "#lib/messages/staff.ts";
import type { z } from "zod";
import type { PublishedLog } from "#provider/contract/log.ts";
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
  if (!hasSealKeys()) throw failure(404, { kind: "refused", message: t("seals.notHere") });
  const provider = getProvider(context);
  const roots = await unlessLimited(provider.publishedSealRoots());
  return { host: url.host, roots, logs: await unlessLimited(provider.publishedLogs()) };
}

/** Undefined if the visitor's network has read it too often. */
const unlessLimited = <T,>(reply: Promise<T>) =>
  reply.catch((thrown: unknown) => {
    if (asFailure(thrown, 429)) return undefined;
    throw thrown;
  });

export default function Seals({ loaderData: { host, roots, logs } }: Route.ComponentProps) {
  return (
    <Sheet title={t("seals.title")} isEnglish>
      <div className="part">
        <h1>{t("seals.heading", { host })}</h1>
        <p>{t("seals.whatTheyAre")}</p>
      </div>
      <div className="part foot">
        <h2>{t("seals.notSaid.heading")}</h2>
        <ul>
          <li>{t("seals.notSaid.company", { host })}</li>
          <li>{t("seals.notSaid.person")}</li>
          <li>{t("seals.notSaid.inForce")}</li>
          <li>{t("seals.notSaid.original")}</li>
        </ul>
      </div>
      <div className="part foot">
        <h2>{t("seals.roots.heading")}</h2>
        <p className="muted">{t("seals.roots.howToTrust")}</p>
        <Roots roots={roots} />
      </div>
      <div className="part foot">
        <h2>{t("seals.keys.heading")}</h2>
        <p className="muted">{t("seals.keys.whatTheyAre")}</p>
        <p className="acts">
          <a className="btn" href={keysPath}>
            {t("seals.keys.open")}
          </a>{" "}
          <a className="btn" href="/check">
            {t("check.title")}
          </a>
        </p>
      </div>
      <div className="part foot" id="log">
        <h2>{t("seals.log.heading")}</h2>
        <p className="muted">{t("seals.log.whatItIs")}</p>
        {logs ? <Logs logs={logs} /> : <p>{t("seals.roots.notNow")}</p>}
      </div>
    </Sheet>
  );
}

function Roots({ roots }: { roots: SealRoot[] | undefined }) {
  if (!roots) return <p>{t("seals.roots.notNow")}</p>;
  if (roots.length === 0) return <p>{t("seals.roots.noneYet")}</p>;
  return (
    <>
      {roots.map(({ subject, fingerprint, since, retired_at }) => (
        <dl key={fingerprint} className="root">
          <Fact name={t("seals.roots.name")} value={subject} />
          <Fact name={t("seals.roots.inUse")} value={inUse(since, retired_at)} />
          <Fact name={t("seals.roots.fingerprint")} value={fingerprint.replaceAll(":", " ")} />
        </dl>
      ))}
      <a className="btn" href={rootPath} download>
        {t("seals.roots.download", { count: roots.length })}
      </a>
    </>
  );
}

const Logs = ({ logs }: { logs: z.output<typeof PublishedLog>[] }) => (
  <>
    {logs.map(({ key, since, ended_at }) => (
      <dl key={key} className="root">
        <Fact name={t("seals.log.key")} value={key} />
        <Fact name={t("seals.roots.inUse")} value={inUse(since, ended_at)} />
      </dl>
    ))}
    <a className="btn" href="/log">
      {t("seals.log.open")}
    </a>
  </>
);

const inUse = (since: string, retired: string | null) =>
  retired
    ? t("seals.roots.sinceUntil", { since: day(since), until: day(retired) })
    : t("seals.roots.since", { since: day(since) });

const day = (instant: string) => showInstant(instant, "UTC").split(" ")[0]!;
