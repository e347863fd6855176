import type { SealRoot } from "#provider/contract/seal-keys.ts";
import { showInstant } from "../../components/format.ts";
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
  if (!hasSealKeys()) throw failure(404, { kind: "refused", message: "There are no seal keys here." });
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
    <Sheet title="About seals" isEnglish>
      <div className="part">
        <h1>About the seals of {host}</h1>
        <p>
          A company that issues documents here has a key of its own, which stays on this server. It signs sealed PDFs
          and the codes printed on paper. Anybody can check such a signature without asking us: if the file or the code
          was changed, the signature no longer fits.
        </p>
      </div>
      <div className="part foot">
        <h2>What a seal does not say</h2>
        <ul>
          <li>
            That the company is who it says it is. Its name stands in the certificate as it was typed here. The
            certificate vouches for whoever runs {host}, and for nobody else.
          </li>
          <li>That a person signed. A seal is made by the register when a document is issued.</li>
          <li>That the document is still in force. Scan its code to learn that.</li>
          <li>That a sheet of paper is the original. Codes can be copied with the paper.</li>
        </ul>
      </div>
      <div className="part foot">
        <h2>Root certificates</h2>
        <p className="muted">
          Programs that read PDFs call the signer of a sealed PDF unknown until they trust the root certificate.
          Download it, ask the company that issued the document for its fingerprint by a way that you trust, such as its
          phone number, and compare. Only then add it to the trusted certificates of your program.
        </p>
        <Roots roots={roots} />
      </div>
      <div className="part foot">
        <h2>Keys of companies</h2>
        <p className="muted">
          This file has the public key of each company, with retired and revoked ones, as a JWK Set. Save it to check
          signed codes later and without a network: a new key stands in it for a day before it is used. A key has its
          company’s name only if the company wants that; the page behind a document’s code always has it. A retired key
          stays valid for what it signed. A revoked key may be in other hands: scan the code to learn what this register
          says of it.
        </p>
        <p className="acts">
          <a className="btn" href={keysPath}>
            Open the list of keys
          </a>{" "}
          <a className="btn" href="/check">
            Check a code without a network
          </a>
        </p>
      </div>
    </Sheet>
  );
}

function Roots({ roots }: { roots: SealRoot[] | undefined }) {
  if (!roots) return <p>They can’t be shown now: open this page again in some minutes.</p>;
  if (roots.length === 0) return <p>There is none yet: it is made with the first seal.</p>;
  return (
    <>
      {roots.map(({ subject, fingerprint, since, retired_at }) => (
        <dl key={fingerprint} className="root">
          <Fact name="Name" value={subject} />
          <Fact name="In use" value={`Since ${day(since)}${retired_at ? `, until ${day(retired_at)}` : ""}`} />
          <Fact name="SHA-256 fingerprint" value={fingerprint.replaceAll(":", " ")} />
        </dl>
      ))}
      <a className="btn" href={rootPath} download>
        Download {roots.length === 1 ? "the root certificate" : "all root certificates"}
      </a>
    </>
  );
}

const day = (instant: string) => showInstant(instant, "UTC").split(" ")[0]!;
