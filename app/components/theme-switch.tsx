import { Monitor, Moon, Sun } from "lucide-react";
import { Form, useLocation } from "react-router";

const choices = [
  { value: "auto", label: "Auto", Icon: Monitor },
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
] as const;

/** Chooses the colours: the browser's, light or dark. A cookie stores the choice. */
export function ThemeSwitch({ theme }: { theme: string }) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action="/theme" className="theme-switch" aria-label="Colour theme">
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
