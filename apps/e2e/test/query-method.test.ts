import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { type Connection, databaseKinds } from './support/database.ts';
import { startService, TOKEN } from './support/service.ts';

const STEPS = beforeRelease ? 2000 : 60;
const ROWS = 12;

/** A reply as far as tags are about it. */
interface Page {
  readonly status: number;
  readonly body: string;
  readonly tag: string;
}

type Ask = (method: 'POST' | 'QUERY', body: object, tag?: string) => Promise<Page>;

/** Numbers below a bound, the same for the same seed (Park and Miller). */
function numbersFrom(seed: number): (below: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** A new page, or one that was asked for before. */
function nextRequest(number: (below: number) => number, asked: object[]): object {
  const again = number(4) === 0 ? asked[number(asked.length + 1)] : undefined;
  if (again !== undefined) return again;
  const request = anyRequest(number);
  asked.push(request);
  return request;
}

/** Pages that often have the same bytes as others, or only other names. */
function anyRequest(number: (below: number) => number): object {
  const query_attributes = [['id'], ['id', 'note'], ['note', 'id'], ['note']][number(4)];
  const value = String(number(ROWS));
  return {
    query_model: ['notes', 'more_notes'][number(2)],
    query_attributes,
    page: { page: 1 + number(4), size: 1 + number(5) },
    ...(number(2) === 0 && { query_filter: { attribute: 'id', op: 'gte', value } }),
    ...(number(2) === 0 && { query_sort: [{ attribute: 'note' }] }),
  };
}

/** Changes a row, or writes what is there already. */
async function write({ run }: Connection, number: (below: number) => number): Promise<void> {
  const table = ['notes', 'more_notes'][number(2)] ?? '';
  const id = number(ROWS);
  if (number(3) === 0) await run(`delete from ${table} where id = ?`, [id]);
  else if (number(2) === 0) {
    await run(`delete from ${table} where id = ?`, [id]);
    await run(`insert into ${table} values (?, ?)`, [id, `n${number(3)}`]);
  } else await run(`update ${table} set note = ? where id = ?`, [`n${number(3)}`, id]);
}

function asker(origin: string): Ask {
  return async (method: 'POST' | 'QUERY', body, tag) => {
    const response = await fetch(`${origin}/api/v1/dynamic/query`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        ...(tag !== undefined && { 'if-none-match': tag }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text, tag: response.headers.get('etag') ?? '' };
  };
}

const KINDS = databaseKinds();

describe.each(eachNth(KINDS.length, KINDS))(`an entity tag over $name (seed ${SEED})`, (kind) => {
  it('is the same exactly where names and bytes are, and 304 says that they are, under writes', async () => {
    const database = await kind.start();
    onTestFinished(database.stop);
    const connection = await database.connect();
    onTestFinished(async () => void (await connection.close()));
    for (const table of ['notes', 'more_notes'])
      await connection.run(
        `create table ${table} (id integer not null primary key, note varchar(9))`,
      );
    const service = await startService({ database: database.url });
    onTestFinished(service.stop);
    const ask = asker(service.origin);
    const number = numbersFrom(SEED);
    /** By names and body the tag, by tag names and body, and by request the tag that is held. */
    const [tags, contents, held] = [new Map(), new Map(), new Map<string, string>()];
    const asked: object[] = [];
    const counts = { held: 0, sent: 0 };
    // On until a tag was held, and until two requests got the same names and bytes.
    const isSeen = (): boolean => counts.held > 0 && tags.size < counts.sent;
    for (let step = 0; step < STEPS || !isSeen(); step++) {
      if (number(3) === 0) await write(connection, number);
      const request = nextRequest(number, asked);
      const { query_model, query_attributes } = request as Readonly<Record<string, unknown>>;
      const posted = await ask('POST', request);
      const content = JSON.stringify([query_model, query_attributes, posted.body]);
      const mine = held.get(JSON.stringify(request));
      const { status, body, tag } = await ask('QUERY', request, mine);
      const isHeld = mine !== undefined && contents.get(mine) === content;
      expect([step, status, body]).toEqual([step, isHeld ? 304 : 200, isHeld ? '' : posted.body]);
      expect([step, tags.get(content) ?? tag]).toEqual([step, tag]);
      expect([step, contents.get(tag) ?? content]).toEqual([step, content]);
      tags.set(content, tag);
      contents.set(tag, content);
      held.set(JSON.stringify(request), tag);
      counts[isHeld ? 'held' : 'sent'] += 1;
    }
  });
});
