import { once } from 'node:events';
import { request } from 'node:http';

import { ReplyMemory } from '@proj/engine';
import { expect, it } from 'vitest';

import { listen, QUERY_PATH, startService, TOKEN, until } from './helper.ts';

const MIB = 2 ** 20;
const ROWS = 110;

/** Pages of 13 MB: more than what the kernel keeps for a caller who does not read. */
const LARGE = `
  create table large (id integer primary key, cell text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${2 * ROWS})
  insert into large select i, replace(hex(zeroblob(60000)), '00', 'xx') from n;`;

/** Asks for a page; whoever reads the reply drops it. */
async function ask(port: number, page: number, method = 'POST') {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const asked = request({ port, path: QUERY_PATH, method, headers, agent: false });
  const query = { query_model: 'large', query_attributes: ['cell'], page: { page, size: ROWS } };
  asked.end(JSON.stringify(query));
  const [reply] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  const read = async (): Promise<{
    readonly status: number | undefined;
    readonly text: string;
  }> => {
    let text = '';
    for await (const chunk of reply.setEncoding('utf8')) text += chunk;
    return { status: reply.statusCode, text };
  };
  return { status: reply.statusCode, read, leave: () => asked.destroy() };
}

/** A caller who reads nothing has a page of what all replies may take together. */
async function startWithSlowReader(waitMs: number) {
  const replyMemory = new ReplyMemory({ bytes: 16 * MIB, waitMs });
  const settings = { replyMemory, queryTimeoutMs: 60_000 };
  const { app } = await startService({ sql: LARGE, settings, parts: { replyMemory } });
  const port = await listen(app);
  const slow = await ask(port, 1);
  expect(slow.status).toBe(200);
  return { replyMemory, port, slow };
}

it('replies that find no memory while a caller does not read are refused as overloaded', async () => {
  const { port, slow } = await startWithSlowReader(50);
  const refused = await Promise.all([ask(port, 2), ask(port, 2, 'QUERY')]);
  const replies = await Promise.all(refused.map(({ read }) => read()));
  const overloaded = { status: 503, text: expect.stringContaining('"overloaded"') as string };
  expect(replies).toEqual([overloaded, overloaded]);
  slow.leave();
});

it('a reply that has waited for memory is whole when it is answered', async () => {
  const { replyMemory, port, slow } = await startWithSlowReader(60_000);
  const waiting = ask(port, 2);
  await until(() => replyMemory.waiting > 0);
  const replies = [await slow.read(), await (await waiting).read()];
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  for (const { text } of replies)
    expect((JSON.parse(text) as { result: readonly object[] }).result).toHaveLength(ROWS);
  await until(() => replyMemory.used === 0);
});
