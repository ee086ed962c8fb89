import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { loadSettings } from '../src/settings/file/load.ts';
import { randomPort, temporaryDatabase } from './helper.ts';
import { readMetrics, valueOf } from './metrics-text.ts';
import { MAIN, shell, startServer } from './server-process.ts';
import { settingsFile } from './settings-files.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const ORDERS = `create table orders (id integer primary key, customer text); insert into orders (customer) values ('Ada'), ('Grace');
  create view orders_view as select id as order_number, customer from orders;`;

/** The README's code of one language, block by block. */
function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text.trim(),
  );
}

describe.skipIf(process.platform === 'win32')('the examples of the README', () => {
  const [serve = '', makeToken = '', serveOthers = '', ...asking] = blocks('sh');

  it('start a server and ask it, which has the pages that the README names', async () => {
    const { file } = temporaryDatabase(ORDERS);
    const [program, ...args] = serve.replace('shop.db', file).split(' ');
    expect(program).toBe('dynamic-query');
    const token = (await shell(`${makeToken}; echo $DYNAMIC_QUERY_ADMIN_TOKEN`)).stdout.trim();
    expect(token).toMatch(/^dq_[\w-]{43}$/);
    const { origin, curl } = await startServer(args, { DYNAMIC_QUERY_ADMIN_TOKEN: token });
    const env = { DYNAMIC_QUERY_TOKEN: token };
    expect(JSON.parse((await shell(curl, env)).stdout)).toMatchObject({ page: { total: '2' } });
    const replies: unknown[] = [];
    for (const block of asking) {
      const { stdout } = await shell(
        block.replaceAll('http://127.0.0.1:3000', origin).replaceAll('\ncurl', '; echo; curl'),
        env,
      );
      replies.push(...stdout.split('\n').map((line): unknown => JSON.parse(line)));
    }
    expect(replies).toMatchObject([
      {
        result: [
          { id: '1', customer: 'Ada' },
          { id: '2', customer: 'Grace' },
        ],
        page: { page: '1', size: '10', total: '2', has_next: false },
      },
      { models: [{ name: 'orders' }, { name: 'orders_view' }] },
      { status: 'live' },
      { status: 'ready' },
    ]);
    for (const path of ['/', '/openapi.json', '/docs', '/problems']) {
      expect(README).toContain(`\`${path}\``);
      expect((await fetch(`${origin}${path}`)).status).toBe(200);
    }
  });

  it('serve others only with a token', async () => {
    const { file } = temporaryDatabase(ORDERS);
    const bin = mkdtempSync(join(tmpdir(), 'dynamic-query-bin-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    symlinkSync(MAIN, join(bin, 'dynamic-query'));
    const { code, stderr } = await shell(
      `chmod +x ${MAIN}; PATH=${bin}:$PATH; ${serveOthers.replace('shop.db', file)}`,
    );
    expect(code).toBe(1);
    expect(stderr).toContain('no token is set');
  });

  it('hold settings that are taken and serve what they name', async () => {
    const { file } = temporaryDatabase(ORDERS);
    const [yaml = ''] = blocks('yaml');
    const port = String(randomPort());
    const config = settingsFile(yaml.replace('/data/shop.db', file).replace('9464', port));
    expect(await loadSettings({ flags: { config }, env: {} })).toMatchObject({
      limits: { max_page_size: 500 },
    });
    const { origin, output } = await startServer(['--config', config]);
    expect(output()).toMatch(/^Models: open_orders, orders$|^Models: orders, open_orders$/m);
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
    const samples = readMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    expect(
      valueOf(samples, 'http_request_duration_seconds_count', { route: '/livez', status: '200' }),
    ).toBe(1);
  });
});

it('the README is short enough to be read', () => {
  expect(README.split('\n').length).toBeLessThanOrEqual(120);
});
