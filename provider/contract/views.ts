import { z } from "zod";
import { call } from "./call.ts";
import { flag, idOf, idParams, text, uniqueName, version } from "./fields.ts";

/** The lists that can be saved as a view. */
export const viewedLists = ["documents", "archive", "alerts", "users", "branches"] as const;
export type ViewedList = (typeof viewedLists)[number];

/** How many views a user can save, and how many columns a view can have. */
export const maxViews = 50;
const maxViewColumns = 20;

const list = z.enum(viewedLists, "Choose the list: documents, archive, alerts, users or branches");

/** Parameters of a list's address, without the page. */
const query = text("filters", 2000)
  .overwrite(withoutPage)
  .meta({ description: "The list’s filters and sort as in its address: name=lease&sort=-date" });

function withoutPage(value: string) {
  const parameters = new URLSearchParams(value);
  for (const name of ["page", "after", "before", "view", "columns", "dialog"]) parameters.delete(name);
  return parameters.toString();
}

const columns = z
  .array(text("column", 110).refine((name) => name !== "", "Choose a column"))
  .max(maxViewColumns, `Choose at most ${maxViewColumns} columns`)
  .default([])
  .overwrite((names) => [...new Set(names)])
  .meta({ description: "Names of columns in their order, custom:NAME for a custom field; none for the usual ones" });

export const SavedView = z
  .object({
    id: z.int(),
    list,
    name: z.string(),
    query: z.string(),
    columns: z.array(z.string()),
    shared_with: z.string().meta({ description: "The access group whose members see it; empty for the owner alone" }),
    owner: z.string().meta({ description: "The name of the user who saved it" }),
    is_own: z.boolean(),
    is_default: z.boolean().meta({ description: "Whether the caller’s list opens with it" }),
    version: z.int(),
  })
  .meta({ id: "SavedView", description: "Filters, sort and columns of a list under a name" });
export type SavedView = z.output<typeof SavedView>;

const fields = {
  name: uniqueName("name", 60),
  query,
  columns,
  shared: flag.meta({ description: "Whether the members of the owner’s access group see it" }),
};

export const listViews = call({
  method: "GET",
  path: "/views",
  summary: "The caller’s saved views, and those shared with their access group",
  access: "signed-in",
  reply: z.array(SavedView),
  status: 200,
});

export const createView = call({
  method: "POST",
  path: "/views",
  summary: "Save a list’s filters, sort and columns under a name",
  access: "signed-in",
  body: z.object({ list, ...fields }),
  reply: SavedView,
  status: 201,
  refusals: [409],
});

export const updateView = call({
  method: "PUT",
  path: "/views/{id}",
  summary: "Change one’s own view",
  access: "signed-in",
  params: idParams,
  body: z.object({ ...fields, version: version.optional() }),
  reply: SavedView,
  status: 200,
  refusals: [409],
});

export const removeView = call({
  method: "DELETE",
  path: "/views/{id}",
  summary: "Remove one’s own view, or as an administrator a shared one",
  access: "signed-in",
  params: idParams,
  reply: null,
  status: 204,
});

export const chooseDefaultView = call({
  method: "PUT",
  path: "/views/default",
  summary: "Choose the view with which a list opens, or none",
  access: "signed-in",
  body: z.object({
    list,
    view_id: z
      .union([z.literal(""), z.null(), idOf("Choose one of your views")], "Choose one of your views")
      .default("")
      .meta({ description: "Empty for none" }),
  }),
  reply: null,
  status: 204,
});
