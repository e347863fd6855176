import { createContext, use } from "react";
import { type FormProps, Form as RouterForm, useNavigation } from "react-router";

/** For whom the page was made, as a form says it to the server; undefined on pages of guests. */
export const PageUserContext = createContext<string | undefined>(undefined);

export const usePageUser = () => use(PageUserContext);

/** `server/sessions/page-user.ts` reads it, and handles no form of a signed-in page without it. */
export const pageUserField = "page_user";

/** First in a form that is not the router's. */
export function PageUserInput({ value }: { value?: string }) {
  const pageUser = usePageUser();
  const who = value ?? pageUser;
  return who && <input type="hidden" name={pageUserField} value={who} />;
}

/**
 * The router's form, which says for whom its page was made. A refusal loads the page's data again, as it does without
 * scripts: what was changed meanwhile is shown, and built on. It isn't sent while a file of the page is, which it would stop.
 */
export function Form({ children, onSubmit, ...props }: FormProps) {
  const { state, formEncType } = useNavigation();
  const isBusy = state === "submitting" && formEncType === "multipart/form-data";
  return (
    <RouterForm
      defaultShouldRevalidate
      {...props}
      aria-busy={isBusy || undefined}
      onSubmit={(event) => {
        onSubmit?.(event);
        if (isBusy) event.preventDefault();
      }}
    >
      {props.method === "post" && <PageUserInput />}
      {children}
    </RouterForm>
  );
}
