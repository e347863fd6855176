import { webhookEvents } from "#provider/contract/webhook-events.ts";
import { FieldError, type FieldState } from "../../components/field.tsx";
import { eventWords } from "./webhook-words.ts";

/** The events that a webhook is told of, as boxes to tick. */
export function EventBoxes({ field: { id, errors }, chosen }: { field: FieldState; chosen: string[] }) {
  const error = errors?.[0];
  return (
    <section className="form-section" aria-labelledby="events-heading">
      <div>
        <h2 id="events-heading">Events</h2>
        <p className="hint mt-1">What is sent has ids alone: your program asks for the rest with its own rights.</p>
      </div>
      <fieldset
        className={`field ${error ? "field-bad" : ""}`}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-invalid={error ? true : undefined}
      >
        <legend>Tell of</legend>
        {error && <FieldError id={`${id}-error`} message={error} />}
        {webhookEvents.map((event, n) => (
          <label key={event} className="choice">
            <input
              className="checkbox checkbox-primary"
              type="checkbox"
              // The summary of errors leads to the first one.
              id={n === 0 ? id : undefined}
              name="events"
              value={event}
              defaultChecked={chosen.includes(event)}
            />
            <span>
              {eventWords[event]}
              <small className="block text-muted">{event}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </section>
  );
}
