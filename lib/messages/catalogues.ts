import ar from "./strangers/ar.json" with { type: "json" };
import de from "./strangers/de.json" with { type: "json" };
import en from "./strangers/en.json" with { type: "json" };
import es from "./strangers/es.json" with { type: "json" };
import fr from "./strangers/fr.json" with { type: "json" };
import hi from "./strangers/hi.json" with { type: "json" };
import it from "./strangers/it.json" with { type: "json" };
import pl from "./strangers/pl.json" with { type: "json" };
import pt from "./strangers/pt.json" with { type: "json" };
import tr from "./strangers/tr.json" with { type: "json" };
import uk from "./strangers/uk.json" with { type: "json" };
import zh from "./strangers/zh.json" with { type: "json" };
import type { Language } from "./languages.ts";

export type Key = keyof typeof en;

/** Every message in each language: a language that lacks one does not compile. */
export const catalogues: Record<Language, Record<Key, string>> = { ar, de, en, es, fr, hi, it, pl, pt, tr, uk, zh };
