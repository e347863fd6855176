import { Monitor, Moon, Sun } from "lucide-react";
import { useLocation } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Form } from "../form/form.tsx";

const choices = [
  { value: "auto", label: t("components.themeSwitch.auto"), Icon: Monitor },
  { value: "light", label: t("components.themeSwitch.light"), Icon: Sun },
  { value: "dark", label: t("components.themeSwitch.dark"), Icon: Moon },
] as const;

/** Chooses the colours: the browser's, light or dark. A cookie stores the choice. */
export function ThemeSwitch({ theme }: { theme: string }) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action="/theme" className="theme-switch" aria-label={t("components.themeSwitch.colourTheme")}>
      <input type="hidden" name="back" value={pathname + search} />
      {choices.map(({ value, label, Icon }) => (
        <button type="submit" key={value} name="theme" value={value} aria-pressed={theme === value}>
          <Icon className="ico" />
          {label}
        </button>
      ))}
    </Form>
  );
}
