import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { t, tRich } from "#lib/messages/staff.ts";
import { hidden } from "../text/message-elements.tsx";

type TimelineProps<Id extends string> = {
  steps: readonly { id: Id; label: string }[];
  current: Id;
  isDone(id: Id): boolean;
  /** What a step other than the current one is: its content, or a way to it. */
  leading(id: Id, content: ReactNode): ReactNode;
};

/** The steps of a form of several pages, with the current and the completed ones marked. */
export const Timeline = <Id extends string>({ steps, current, isDone, leading }: TimelineProps<Id>) => (
  <nav aria-label={t("common.progress")}>
    <ol className="timeline-steps mb-7">
      {steps.map(({ id, label }, index) => {
        if (id === current) {
          return (
            <li key={id} className="now" aria-current="step">
              <span className="dot">{index + 1}</span>
              <span className="t">
                {label}
                <span className="font-normal text-muted md:hidden">
                  {" "}
                  {t("components.timeline.step", { step: index + 1, steps: steps.length })}
                </span>
              </span>
            </li>
          );
        }
        const isStepDone = isDone(id);
        const content = (
          <>
            <span className="dot">{isStepDone ? <Check className="ico" /> : index + 1}</span>
            <span className="t">{isStepDone ? tRich("components.timeline.doneStep", { label, hidden }) : label}</span>
          </>
        );
        return (
          <li key={id} className={isStepDone ? "done" : undefined}>
            {leading(id, content)}
          </li>
        );
      })}
    </ol>
  </nav>
);
