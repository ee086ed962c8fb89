import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';
import { serviceOfTests } from './service-of-tests.ts';

describeInBrowser('an explorer with the name, logo and colour of an operator', (browser) => {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const origin = serviceOfTests(() => {
    const [logo, settings] = [join(directory, 'logo.svg'), join(directory, 'settings.yaml')];
    writeFileSync(
      logo,
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle r="9"/></svg>',
    );
    const branding = `{ name: Shop data, logo: ${logo}, colour: '#ffe100' }`;
    writeFileSync(settings, `branding: ${branding}\nexpose: all\n`);
    const file = join(directory, 'many.db');
    const database = new DatabaseSync(file);
    database.exec('create table model0 (id integer primary key)');
    for (let number = 1; number <= 40; number += 1)
      database.exec(
        `create table model${number} (id integer primary key, other references model${number - 1})`,
      );
    database.close();
    return ['--config', settings, '--database', `sqlite:${file}`];
  });

  it('shows them, and can be read in light and in dark', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=model0`);
    await seeRange(page, 'no records');
    expect(await page.title()).toBe('model0 · Shop data');
    const logo = page.getByRole('link', { name: 'Shop data' }).locator('img');
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(20);
    await page.getByRole('button', { name: 'Filter' }).click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findings(page, ['.top', '.panel'])).toEqual([]);
    }
  });

  it('says in its overview that the references of many models are too many for a picture', async () => {
    const { page } = await openSignedIn(browser(), origin());
    await page.getByText('41 models refer to each other.').waitFor();
    expect(await page.locator('svg.references').count()).toBe(0);
  });
});
