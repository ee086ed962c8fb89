// Preloaded into the program: writes the addresses of all modules that were loaded, when it ends.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});
process.once('exit', () => writeFileSync(String(process.env['MODULES']), [...loaded].join('\n')));
