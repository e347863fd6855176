import { Check } from "lucide-react";
import { Link } from "react-router";
import { say } from "#messages/staff.ts";

const steps = [
  {
    id: "company",
    to: "/branches/profile?edit",
    title: say("signed-in.firstSteps.completeTheCompanyProfile"),
    hint: say("signed-in.firstSteps.peopleWhoCheckYour"),
  },
  {
    id: "branch",
    to: "/branches/new",
    title: say("signed-in.firstSteps.addYourFirstBranch"),
    hint: say("signed-in.firstSteps.usersAndDocumentsBelong"),
  },
  {
    id: "document",
    to: "/documents/new",
    title: say("signed-in.firstSteps.issueYourFirstDocument"),
    hint: say("signed-in.firstSteps.itGetsANumber"),
  },
] as const;

type Done = Record<(typeof steps)[number]["id"], boolean>;

/** How an administrator sets the company up: three steps, ticked as they are done. */
export const FirstSteps = ({ steps: done }: { steps: Done }) => (
  <section className="panel mb-5" aria-labelledby="first-steps">
    <div className="panel-head">
      <h2 id="first-steps">{say("signed-in.firstSteps.setUpYourCompany")}</h2>
      <p className="text-sm text-muted">{`${steps.filter(({ id }) => done[id]).length} of ${steps.length} done`}</p>
    </div>
    <ol className="first-steps rule">
      {steps.map(({ id, to, title, hint }, n) => (
        <li key={id}>
          <span className={done[id] ? "dot is-ok" : "dot"} aria-hidden="true">
            {done[id] ? <Check className="ico" /> : n + 1}
          </span>
          <div>
            <Link className="font-semibold" to={to}>
              {title}
            </Link>
            {done[id] && <span className="sr-only">{say("signed-in.firstSteps.done")}</span>}
            <p className="text-sm text-muted">{hint}</p>
          </div>
        </li>
      ))}
    </ol>
  </section>
);
