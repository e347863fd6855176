import { createContext, type MiddlewareFunction } from "react-router";
import { fillTemplate } from "#provider/contract/templates.ts";
import { handleForm, readForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { forwardFile } from "../../../server/provider/forward-file.ts";
import { requireTemplates } from "./rights.server.ts";

type Reply = Exclude<Awaited<ReturnType<typeof handleForm>>, Response>;
type Outcome = { reply: Reply } | { thrown: unknown };

const outcomeContext = createContext<Outcome>();

/** Answers a form with the filled PDF, which only middleware of a page can; problems are for the page's action. */
export const fillOnPost: MiddlewareFunction<Response> = async ({ request, context, params }, next) => {
  if (request.method !== "POST") return next();
  try {
    requireTemplates(context);
    const reply = await handleForm(await readForm(request, fillTemplate.body), {
      schema: fillTemplate.body,
      save: async (body) => forwardFile(await getProvider(context).fillTemplate({ params: { id: params.id! }, body })),
    });
    if (reply instanceof Response) return reply;
    context.set(outcomeContext, { reply });
  } catch (thrown) {
    if (!asFailure(thrown)) throw thrown;
    context.set(outcomeContext, { thrown });
  }
  return next();
};

/** What `fillOnPost` left to the action. */
export function problemsOf(context: Parameters<typeof getProvider>[0]) {
  const outcome = context.get(outcomeContext);
  if ("thrown" in outcome) throw outcome.thrown;
  return outcome.reply;
}
