import { Form } from "react-router";

const choices = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
] as const;

/** Turns the key / off for those who speak or touch a letter by chance; Ctrl and K stay. */
export function SearchKey({ isOn }: { isOn: boolean }) {
  return (
    <section className="panel mt-5 overflow-hidden" aria-labelledby="search-key">
      <div className="panel-head">
        <h2 id="search-key">Keyboard</h2>
      </div>
      <div className="rule flex flex-wrap items-center justify-between gap-3 px-5 py-4 max-md:px-4">
        <p>
          The key <kbd>/</kbd> moves to the field Find. So do <kbd>Ctrl</kbd> or <kbd>Cmd</kbd> and <kbd>K</kbd>,
          always.
        </p>
        <Form method="post" action="/search/key" className="theme-switch" aria-label="The key /">
          {choices.map(({ value, label }) => (
            <button
              type="submit"
              key={value}
              name="slash"
              value={value}
              aria-pressed={(value === "on") === isOn}
              className="min-w-16"
            >
              {label}
            </button>
          ))}
        </Form>
      </div>
    </section>
  );
}
