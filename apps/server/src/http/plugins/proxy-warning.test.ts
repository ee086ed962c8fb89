import Fastify from 'fastify';
import { expect, it } from 'vitest';

import { warnOfProxies } from './proxy-warning.ts';

async function start(trustProxy: string[] | false) {
  const lines: { level: number; msg: string }[] = [];
  const stream = {
    write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  };
  const app = Fastify({ trustProxy, logger: { level: 'warn', stream } });
  warnOfProxies(app);
  app.get('/', () => 'here');
  const ask = (remoteAddress: string, headers: Record<string, string>) =>
    app.inject({ url: '/', remoteAddress, headers });
  return { lines, ask };
}

it.each([
  ['X-Forwarded-For', { 'x-forwarded-for': '192.0.2.9' }],
  ['Forwarded', { forwarded: 'for=192.0.2.9' }],
])(
  'warns once, with what to set, of a proxy that sends %s and is not trusted',
  async (_name, headers) => {
    const { lines, ask } = await start(false);
    for (let count = 0; count < 3; count++) await ask('10.0.0.5', headers);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.msg).toContain('set trust_proxy: [10.0.0.5]');
  },
);

it('warns of a proxy that is not among the trusted ones, and of no trusted one', async () => {
  const { lines, ask } = await start(['10.0.0.0/24']);
  await ask('10.0.0.5', { 'x-forwarded-for': '192.0.2.9' });
  expect(lines).toEqual([]);
  await ask('10.0.1.5', { 'x-forwarded-for': '192.0.2.9' });
  expect(lines).toHaveLength(1);
});

it('warns of no request that comes directly, and of ten addresses at most', async () => {
  const { lines, ask } = await start(false);
  await ask('10.0.0.1', {});
  expect(lines).toEqual([]);
  for (let last = 1; last < 30; last++)
    await ask(`10.0.0.${last}`, { 'x-forwarded-for': '192.0.2.9' });
  expect(lines).toHaveLength(10);
});
