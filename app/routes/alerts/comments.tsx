import type { SubmissionResult } from "@conform-to/react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import type { AlertComment } from "#provider/contract/alert-cases.ts";
import { maxColleagues, maxComments } from "#provider/contract/comment-limits.ts";
import { Field } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { hidden } from "../../components/text/message-elements.tsx";

type Colleague = { id: number; name: string; email: string };

type CommentsProps = {
  comments: AlertComment[];
  colleagues: Colleague[];
  mayWrite: boolean;
  userId: number;
  reply: SubmissionResult | undefined;
  toRemove(id: number): string;
};

/** What users wrote about an alert, and the form for more. */
export function Comments({ comments, mayWrite, userId, reply, toRemove, colleagues }: CommentsProps) {
  const own = comments.findLast(({ author_id }) => author_id === userId);
  return (
    <section className="panel mb-6 max-w-[48rem] overflow-hidden" aria-labelledby="comments">
      <div className="panel-head">
        <h2 id="comments">{t("alerts.comments.comments")}</h2>
      </div>
      {comments.length === 0 && <p className="px-5 pb-4 text-muted max-md:px-4">{t("alerts.comments.none")}</p>}
      {comments.length > 0 && (
        <ol className="grid gap-4 px-5 pb-5 max-md:px-4">
          {comments.map((comment) => (
            <li key={comment.id} id={`comment-${comment.id}`} className="max-w-[44rem]">
              <Comment
                comment={comment}
                removeAt={mayWrite && comment.author_id === userId && !comment.removed ? toRemove(comment.id) : ""}
              />
            </li>
          ))}
        </ol>
      )}
      {/* Empty again once a comment was added; those of others leave what is being typed. */}
      {mayWrite && comments.length < maxComments && <CommentForm key={own?.id} colleagues={colleagues} reply={reply} />}
      {mayWrite && comments.length >= maxComments && (
        <p className="rule p-5 text-muted max-md:p-4">{t("alerts.comments.isFull", { count: maxComments })}</p>
      )}
    </section>
  );
}

function Comment({ comment, removeAt }: { comment: AlertComment; removeAt: string }) {
  const { author, at, text, removed, notified } = comment;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-muted">
        <b className="wrap-anywhere text-base-content">{author}</b>
        <span className="whitespace-nowrap">{at}</span>
        {removeAt && (
          <Link className="inline-flex min-h-6 items-center" to={removeAt} preventScrollReset>
            {tRich("alerts.comments.remove", { at, hidden })}
          </Link>
        )}
      </p>
      {removed ? (
        <p className="text-muted">{t("alerts.comments.wasRemovedByAuthor")}</p>
      ) : (
        <p className="wrap-anywhere whitespace-pre-line">{text}</p>
      )}
      {notified.length > 0 && (
        <p className="text-sm text-muted">{t("alerts.comments.notified", { names: notified.join(", ") })}</p>
      )}
    </>
  );
}

function CommentForm({ colleagues, reply }: Pick<CommentsProps, "colleagues" | "reply">) {
  const { field } = formState({}, reply);
  const options = colleagues.map(({ name, email }) => ({ value: email, label: `${name}, ${email}` }));
  const notify = {
    field: field("notify"),
    label: t("alerts.comments.tellAColleague"),
    hint: colleagues.length >= maxColleagues - 1 ? t("alerts.comments.colleagueHint") : undefined,
  };
  return (
    <Form method="post" noValidate className="rule grid gap-4 p-5 max-md:p-4 print:hidden">
      <Field
        className="max-w-[44rem]"
        field={field("text")}
        label={t("alerts.comments.newComment")}
        hint={t("alerts.comments.severalColleaguesHint")}
        isRequired
        rows={4}
      />
      {notify.hint ? (
        <Field className="max-w-[30rem]" {...notify} />
      ) : (
        colleagues.length > 0 && (
          <Field
            className="max-w-[30rem]"
            {...notify}
            options={[{ value: "", label: t("alerts.comments.noFurtherColleague") }, ...options]}
          />
        )
      )}
      <div>
        <button type="submit" className="btn btn-quiet" name="intent" value="comment">
          {t("alerts.comments.addComment")}
        </button>
      </div>
    </Form>
  );
}
