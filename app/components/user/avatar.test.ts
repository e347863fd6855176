import { expect, test } from "vitest";
import { initialsOf } from "./avatar.tsx";

test.each([
  ["Helen Marsh", "HM"],
  ["helen@hallam.example", "H"],
  ["Hallam & Reid Ltd", "HR"],
  ["Anna Maria Garcia Lopez", "AM"],
  ["王小明", "王"],
  ["Олена Шевченко", "ОШ"],
  ["नीना गुप्ता", "नीगु"],
  ["(Tom) Okafor", "O"],
  ["🦊🦊", "🦊"],
  ["🇬🇧 👩‍🚒", "🇬🇧"],
  ["--", "-"],
  ["   ", "?"],
  ["", "?"],
  ["@hallam.example", "?"],
  ["\u3164\u200b", "?"],
])("the initials of “%s” are %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
