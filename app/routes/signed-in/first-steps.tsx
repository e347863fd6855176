import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { hidden } from "../../components/text/message-elements.tsx";

const steps = [
  {
    id: "company",
    to: "/branches/profile?edit",
    title: t("signed-in.firstSteps.completeTheCompanyProfile"),
    hint: t("signed-in.firstSteps.whyTheProfile"),
  },
  {
    id: "branch",
    to: "/branches/new",
    title: t("signed-in.firstSteps.addYourFirstBranch"),
    hint: t("signed-in.firstSteps.whyABranch"),
  },
  {
    id: "document",
    to: "/documents/new",
    title: t("signed-in.firstSteps.issueYourFirstDocument"),
    hint: t("signed-in.firstSteps.whatADocumentGets"),
  },
] as const;

const linkTo = (to: string) => (words: ReactNode) => (
  <Link className="font-semibold" to={to}>
    {words}
  </Link>
);

type Done = Record<(typeof steps)[number]["id"], boolean>;

/** How an administrator sets the company up: three steps, ticked as they are done. */
export const FirstSteps = ({ steps: done }: { steps: Done }) => (
  <section className="panel mb-5" aria-labelledby="first-steps">
    <div className="panel-head">
      <h2 id="first-steps">{t("signed-in.firstSteps.setUpYourCompany")}</h2>
      <p className="text-sm text-muted">
        {t("signed-in.firstSteps.countDone", { done: steps.filter(({ id }) => done[id]).length, all: steps.length })}
      </p>
    </div>
    <ol className="first-steps rule">
      {steps.map(({ id, to, title, hint }, n) => (
        <li key={id}>
          <span className={done[id] ? "dot is-ok" : "dot"} aria-hidden="true">
            {done[id] ? <Check className="ico" /> : n + 1}
          </span>
          <div>
            {done[id]
              ? tRich("signed-in.firstSteps.stepDone", { step: title, link: linkTo(to), hidden })
              : linkTo(to)(title)}
            <p className="text-sm text-muted">{hint}</p>
          </div>
        </li>
      ))}
    </ol>
  </section>
);
