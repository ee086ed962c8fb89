import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** Registers a hook that fails every import of zod. */
const refuseZod = `
import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    if (/^zod(\\/|$)/.test(specifier)) throw new Error('zod was imported');
    return next(specifier, context);
  },
});`;

/** Imports what the package exports, as it was built, in a process of its own. */
function importing(entry: string): Promise<{ stdout: string }> {
  const script =
    `const { ${entry === '@proj/paging' ? 'pageOffset' : 'pageRequestSchema'} } = await ` +
    `import('${entry}');`;
  const hook = `data:text/javascript,${encodeURIComponent(refuseZod)}`;
  return run(process.execPath, [
    '--import',
    hook,
    '--input-type=module',
    '--eval',
    `${script} console.log('loaded');`,
  ]);
}

describe('a process without zod', () => {
  it('imports the arithmetic', async () => {
    await expect(importing('@proj/paging')).resolves.toMatchObject({ stdout: 'loaded\n' });
  });

  it('cannot import the schemas, which shows that the check sees zod', async () => {
    await expect(importing('@proj/paging/schema')).rejects.toThrow('zod was imported');
  });
});
