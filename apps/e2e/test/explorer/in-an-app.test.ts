import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { dynamicQuery } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { makeFolder } from '../support/temporary-folder.ts';
import { openExplorer, seeRange } from './open-explorer.ts';

/** An app that knows by a cookie who asks; the answer gives its origin. */
async function startApp(): Promise<string> {
  const file = join(await makeFolder(), 'shop.db');
  const database = new DatabaseSync(file);
  database.exec('create table orders (id integer primary key); insert into orders values (1), (2)');
  database.close();
  const app = Fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  app.get('/sign-in', (_request, reply) => reply.header('set-cookie', 'user=ann; Path=/').send());
  await app.register(dynamicQuery, {
    prefix: '/data',
    database: `sqlite:${file}`,
    kinds: [sqlite],
    models: 'all',
    principal: ({ headers }) => (headers.cookie === 'user=ann' ? { id: 'ann' } : null),
    routes: ['query', 'models', 'facets', 'watch', 'explorer'],
  });
  return app.listen();
}

describeInBrowser('in an app of its own, below a path', (browser) => {
  it('the explorer shows its records to who is signed in there, and asks for no token', async () => {
    const origin = await startApp();
    const { page } = await openExplorer(browser(), `${origin}/data`);
    await page.getByText('Sign in to the app that has this page').waitFor();
    await page.goto(`${origin}/sign-in`);
    await page.goto(`${origin}/data/?model=orders`);
    await seeRange(page, 'records 1–2 of 2');
    expect(await page.getByText('Sign out').count()).toBe(0);
  });
});
