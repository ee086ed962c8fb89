import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, inject, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { TOKEN } from '../support/service.ts';
import { columnTexts, openSignedIn, seeRange } from './open-explorer.ts';

const run = promisify(execFile);
const ENV = { ...process.env, DYNAMIC_QUERY_TOKEN: TOKEN };

const VIEW =
  'model=cities&attributes=name,population&where=population.gte.1000000&where=name.ne.L%27Ile&sort=-population,name&page=2&size=10';

describeInBrowser('a view that is copied as', (browser) => {
  const origin = inject('demo');
  const copied = async (
    form: string,
  ): Promise<{ readonly text: string; readonly names: string[] }> => {
    const { page } = await openSignedIn(browser(), `${origin}/?${VIEW}`);
    await seeRange(page, 'records 11–20');
    const names = await columnTexts(page, 'name');
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByLabel(form, { exact: true }).first().check();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: 'Copied' })
      .first()
      .waitFor({ state: 'attached' });
    return { text: await page.evaluate(async () => navigator.clipboard.readText()), names };
  };

  it('curl prints the page when it is run, and contains no token', async () => {
    const { text, names } = await copied('curl');
    expect(text).not.toContain(TOKEN);
    const { stdout } = await run('sh', ['-c', text], { env: ENV });
    const { result } = JSON.parse(stdout) as { result: { name: string }[] };
    expect(result.map(({ name }) => name)).toEqual(names);
  });

  it('TypeScript prints the page when it is run', async () => {
    const { text, names } = await copied('TypeScript');
    // Beside the tests, where the SDK is found.
    const directory = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'copied-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, 'copied.ts');
    writeFileSync(
      file,
      `${text}\nconsole.log(JSON.stringify(page.records.map((record) => record.name)));\n`,
    );
    const { stdout } = await run(process.execPath, [file], { env: ENV });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual(names);
  });

  it('dq prints the page when it is run', async () => {
    const { text, names } = await copied('dq');
    const dq = fileURLToPath(
      new URL('dist/main.js', import.meta.resolve('@proj/cli/package.json')),
    );
    const command = text.replace(' dq ', ` ${process.execPath} ${dq} `);
    const { stdout } = await run('sh', ['-c', command], { env: ENV });
    for (const name of names) expect(stdout).toContain(name);
  });
});
