import ar from "./ar.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import hi from "./hi.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import tr from "./tr.json" with { type: "json" };
import uk from "./uk.json" with { type: "json" };
import zh from "./zh.json" with { type: "json" };
import type { Language } from "./languages.ts";

export type Key = keyof typeof en;

/** Every message in each language: a language that lacks one does not compile. */
export const catalogues: Record<Language, Record<Key, string>> = { ar, de, en, es, fr, hi, it, pl, pt, tr, uk, zh };
