import type { RouterContextProvider } from "react-router";

export type Context = Readonly<RouterContextProvider>;
