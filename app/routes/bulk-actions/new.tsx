import { randomUUID } from "node:crypto";
import { Link, redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { startDocumentActions } from "#provider/contract/bulk-actions.ts";
import { idOf } from "#provider/contract/fields.ts";
import { formState } from "../../components/form/form-state.ts";
import { FormPage } from "../../components/form/form-page.tsx";
import { Form } from "../../components/form/form.tsx";
import { selectionList } from "../../components/list/selection-lists.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { asFailure, failure } from "../../server/provider/failure.ts";
import { redirectWithRefusal } from "../../server/sessions/session.ts";
import { requireOffer } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/new";
import { actionAddress, wordsOf } from "./act-words.ts";
import { checkOrder, choicesFor, startOrder } from "./calls.server.ts";
import { GivenFields } from "./given-fields.tsx";
import { Reasons } from "./reasons.tsx";

/** Asks before something is done to many records. The list's form leads here with what is ticked. */

const answers = startDocumentActions.body.pick({
  expected: true,
  key: true,
  group: true,
  note: true,
  owner: true,
  reason: true,
  outcome: true,
  allow: true,
});

/** With a reason, which the page asks for if the company has a list of them. */
const reasonedAnswers = answers.safeExtend({ reason: idOf(t("bulk-actions.new.chooseReason")) });

/** The list, the act and the selection in the address. */
function parseOrder({ searchParams }: URL) {
  const text = (name: string) => searchParams.get(name) ?? "";
  const list = selectionList(text("list"));
  if (!list) throw failure(404, { kind: "refused", message: t("bulk-actions.new.noSuchList") });
  const ids = searchParams.getAll("id").filter((id) => /^\d{1,10}$/.test(id));
  const order = { act: text("act"), ids: ids.join(","), all: text("all") === "1" ? "1" : "", filters: text("filters") };
  return { list, order, back: text("from") ? `${list.path}?${new URLSearchParams(text("from"))}` : list.path };
}

/** Where files of the selection are: they are no acts. */
function fileOf({ list, order, back }: ReturnType<typeof parseOrder>) {
  const paths: Record<string, string> = {
    export: list.exportAt,
    ...(list.hasDocuments && { labels: "/documents/labels", sealed: "/documents/sealed-pdfs" }),
  };
  const path = Object.hasOwn(paths, order.act) ? paths[order.act] : undefined;
  if (!path) return undefined;
  const query = new URLSearchParams(back.split("?")[1]);
  const view = query.get("view");
  if (!order.all) return `${path}?${new URLSearchParams({ ids: order.ids, ...(view && { view }) })}`;
  // Labels and sealed PDFs are chosen by the provider's filters, other files by those of the list's address.
  if (order.act === "labels") return `${path}?all=1&${order.filters}`;
  if (order.act === "sealed") return `${path}?${new URLSearchParams({ all: "1", filters: order.filters })}`;
  for (const name of ["page", "after", "before", "per_page"]) query.delete(name);
  return query.size > 0 ? `${path}?${query}` : path;
}

export async function loader({ context, url }: Route.LoaderArgs) {
  requireOffer(context, "bulkActions");
  const parsed = parseOrder(url);
  const { list, order, back } = parsed;
  const { noun } = list;
  if (!order.all && !order.ids) throw redirectWithRefusal(context, back, t("bulk-actions.new.selectFirst", { noun }));
  const file = fileOf(parsed);
  if (file) throw redirect(file);
  if (!Object.hasOwn(list.acts, order.act))
    throw failure(404, { kind: "refused", message: t("bulk-actions.new.noSuchAction") });
  const check = await checkOrder(context, noun, order).catch((thrown: unknown) => {
    const [refusal] = Object.values(asFailure(thrown, 422)?.errors ?? {}).flat();
    // More are selected than can be done at once, or none any more.
    throw refusal === undefined ? thrown : redirectWithRefusal(context, back, refusal);
  });
  const choices = await choicesFor(context, noun, order, check.ready);
  return { noun, act: order.act, back, check, choices, key: randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireOffer(context, "bulkActions");
  const form = await readForm(request, answers);
  const { list, order, back } = parseOrder(url);
  const isReasoned = order.act === "exit" && (await choicesFor(context, list.noun, order)).reasons?.length;
  return handleForm(form, {
    schema: isReasoned ? reasonedAnswers : answers,
    async save({ allow, ...answer }) {
      // Another provider may not know it.
      const { id } = await startOrder(context, list.noun, { ...order, ...answer, ...(allow && { allow: "1" }) });
      return redirect(actionAddress(id, back.includes("?") ? back : null));
    },
  });
}

export default function NewBulkAction({ loaderData, actionData }: Route.ComponentProps) {
  const { noun, act, back, check, choices, key } = loaderData;
  const { verb, question, effect } = wordsOf(noun, act);
  const canDo = check.ready + (choices.allowable ?? 0) > 0;
  const { field, summary } = formState({ outcome: "done", allow: check.ready > 0 ? "" : "1" }, actionData);
  const title = question?.(check.total) ?? verb;
  return (
    <FormPage title={title} errors={summary} back={{ to: back, label: t("bulk-actions.new.backToTheList") }}>
      <Form method="post" noValidate className="panel max-w-[44rem]">
        <div className="grid gap-4 p-5 max-md:p-4">
          <p>{effect}</p>
          {check.ready < check.total && (
            <div>
              <p className="font-semibold">
                {check.ready === 0
                  ? t("bulk-actions.new.toNoneOfThem")
                  : t("bulk-actions.new.toSomeOfThem", { ready: check.ready })}
              </p>
              <Reasons reasons={check.reasons} />
            </div>
          )}
          {canDo && <GivenFields act={act} choices={choices} field={field} />}
          <input type="hidden" name="expected" value={check.total} />
          <input type="hidden" name="key" value={key} />
        </div>
        <div className="panel-foot flex flex-wrap items-center gap-3 !py-4 lg:!px-6">
          {canDo && (
            <button type="submit" className="btn btn-primary" name="intent" value={act}>
              {verb}
            </button>
          )}
          <Link className="btn btn-quiet" to={back} data-discard>
            {t("common.cancel")}
          </Link>
        </div>
      </Form>
    </FormPage>
  );
}
