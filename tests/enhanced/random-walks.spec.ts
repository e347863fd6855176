import { test } from "../support/journey.ts";
import { walk } from "../support/random-walk.ts";
import { walkSeeds } from "../support/settings.ts";

/** Random walks: nothing typed is lost without a word, nothing is sent twice, no page fails, axe finds nothing. */

// A server of its own: walks change whatever they come across.
test.use({ serverEnv: {} });

const visited = new Set<string>();

for (const seed of walkSeeds()) {
  for (const hasScripts of [true, false]) {
    test.describe(`${hasScripts ? "with" : "without"} scripts`, () => {
      test.use({ javaScriptEnabled: hasScripts, waitsForScripts: hasScripts });

      test(`a walk by seed ${seed} loses nothing and finds no page that fails`, async ({ page, server, signInAs }) => {
        await signInAs();
        await walk({ page, url: server.url, seed, hasScripts, visited }, 40);
      });
    });
  }
}
