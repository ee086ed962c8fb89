import { describe, expect, it } from 'vitest';

import { auditLines, listen, sendTo, until } from '../helper.ts';
import { openShop, orderQuery, SHOP_ROLES } from './shop.ts';

// limits/http.test.ts counts rows over a stand-in for the engine.

const { auditLog, lines } = auditLines();
const shop = await openShop({
  settings: `${SHOP_ROLES}rate_limits: { rows_per_day: 50 }\n`,
  auditLog,
});
const origin = `http://127.0.0.1:${await listen(shop.app)}`;

async function read(token: string, members: object) {
  const reply = await sendTo(origin, orderQuery(members), { token: `${token}-token` });
  const body = await reply.text();
  const { result = [] } = JSON.parse(body) as { result?: unknown[] };
  return {
    statusCode: reply.status,
    headers: Object.fromEntries(reply.headers),
    body,
    rows: result.length,
  };
}

/** The audit lines of a token, once all its requests have one. */
async function linesOf(token: string, count: number): Promise<typeof lines> {
  await until(() => lines.filter((line) => line.token === token).length >= count);
  return lines.filter((line) => line.token === token);
}

describe('a token that reads a whole table', () => {
  it('is stopped by its quota, learns when to come back, and leaves lines that sum up to what it got', async () => {
    const replies = [];
    for (let page = 1; page <= 5; page++)
      replies.push(await read('audit', { page: { page, size: 18 } }));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429, 429]);
    const refused = replies[3];
    expect(refused).toBeProblem('quota_exceeded');
    const wait = Number(refused?.headers['retry-after']);
    expect(wait).toBeGreaterThan(3600);
    // The window slides in steps, and the wait is never reported too short.
    expect(wait).toBeLessThanOrEqual(86_400 * 1.05);
    const received = replies.reduce((sum, { rows }) => sum + rows, 0);
    const audited = await linesOf('audit', 5);
    expect(received).toBe(54);
    expect(audited.reduce((sum, { rows }) => sum + rows, 0)).toBe(received);
    expect(audited.map(({ outcome }) => outcome)).toEqual([
      'ok',
      'ok',
      'ok',
      'quota_exceeded',
      'quota_exceeded',
    ]);
  });
});
