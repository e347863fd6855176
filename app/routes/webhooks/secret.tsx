import { KeyRound } from "lucide-react";

/** The secret of new keys, shown once. */
export const Secret = ({ secret }: { secret: string }) => (
  <section className="notice is-warn mb-4" aria-label="New keys">
    <KeyRound className="ico" />
    <div className="min-w-0 flex-1">
      <p>Copy the secret now: it is shown this once</p>
      <p className="font-normal">
        Your program checks each delivery with it, by the library of Standard Webhooks. If it is lost, make new keys.
      </p>
      <div className="field mt-3">
        <label htmlFor="webhook-secret">Secret</label>
        <input
          className="input font-mono"
          type="text"
          id="webhook-secret"
          readOnly
          autoComplete="off"
          value={secret}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
    </div>
  </section>
);
