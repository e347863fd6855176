import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Form, useSearchParams } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import type { Branch } from "#provider/contract/branches.ts";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog.tsx";
import type { SummaryError } from "../../components/error-summary.tsx";
import type { UserSearch } from "./find-users.server.ts";

type AddUserDialogProps = { branch: Branch; found: UserSearch; errors: SummaryError[]; closeTo: string };

/**
 * Searches users and adds one to a branch. One form with two buttons: the first one, which Enter presses, puts the search
 * text in the address; the other adds.
 */
export function AddUserDialog({ branch, found, errors, closeTo }: AddUserDialogProps) {
  const [parameters] = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const [isEmpty, setEmpty] = useState(found.search === "");
  const check = () => setEmpty(input.current!.value.trim() === "");
  useEffect(check, []);
  return (
    <Dialog
      title="Add user to branch"
      lead={
        <>
          <DialogProblems errors={errors} />
          <p>Users belong to one branch. Adding someone moves them to {branch.name}.</p>
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="mt-4" replace preventScrollReset>
        {/* Searching keeps the dialog and the tab below it open. */}
        <input type="hidden" name="dialog" value="add-user" />
        {parameters.has("tab") && <input type="hidden" name="tab" value={parameters.get("tab")!} />}
        <div className="field">
          <label htmlFor="search">Name or email</label>
          <div className="flex gap-2">
            <input
              className="input"
              id="search"
              name="search"
              type="text"
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              defaultValue={found.search}
              ref={input}
              onInput={check}
              data-first
              autoFocus
            />
            <button type="submit" className="btn btn-quiet" formMethod="get">
              <Search className="ico" />
              Search
            </button>
          </div>
        </div>
        {found.search && <FoundUsers found={found} branchId={branch.id} />}
        <div className="modal-foot">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" disabled={isHydrated && isEmpty}>
            Add user
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function FoundUsers({ found: { search, users, isCut }, branchId }: { found: UserSearch; branchId: number }) {
  if (users.length === 0) {
    return (
      <p className="mt-4 text-muted" role="status">
        Not found. No user has “{search}” in their name or email.
      </p>
    );
  }
  return (
    <fieldset className="mt-4">
      <legend className="legend">Found</legend>
      {users.map(({ id, name, email, branch, branch_id }) => (
        <div key={id} className="choice py-1">
          <input
            className="radio radio-primary"
            type="radio"
            id={`user-${id}`}
            name="user"
            value={id}
            disabled={branch_id === branchId}
          />
          <label htmlFor={`user-${id}`} className="grow cursor-pointer">
            <b>{name}</b>
            <small className="block text-sm text-muted">
              {email}
              {branch_id === branchId ? ", already in this branch" : branch && `, in ${branch}`}
            </small>
          </label>
        </div>
      ))}
      {isCut && <p className="hint mt-1">There are more: type more of the name.</p>}
    </fieldset>
  );
}
