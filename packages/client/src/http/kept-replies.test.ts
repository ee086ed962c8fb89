import { expect, it } from 'vitest';

import { KeptReplies, refreshed } from './kept-replies.ts';

const MIB = 2 ** 20;

function reply(bytes: number, tag: string | null = '"a"'): Response {
  return new Response(new Uint8Array(bytes), { headers: tag === null ? {} : { etag: tag } });
}

it('keeps the replies that were used last, up to 16 MiB', async () => {
  const kept = new KeptReplies();
  for (const name of ['a', 'b', 'c']) await kept.keep(name, reply(5 * MIB));
  const [first] = [kept.of('a')];
  if (first !== undefined) kept.keepAs('a', first);
  await kept.keep('d', reply(5 * MIB));
  expect(['a', 'b', 'c', 'd'].map((name) => kept.of(name)?.bytes.byteLength)).toEqual([
    5 * MIB,
    undefined,
    5 * MIB,
    5 * MIB,
  ]);
});

it('keeps 1000 replies at most, and the newest of each query', async () => {
  const kept = new KeptReplies();
  for (let number = 0; number < 1001; number++) await kept.keep(String(number), reply(1));
  expect([kept.of('0'), kept.of('1')?.tag]).toEqual([undefined, '"a"']);
  await kept.keep('1000', reply(2, '"b"'));
  expect([kept.of('1')?.tag, kept.of('1000')?.tag]).toEqual(['"a"', '"b"']);
});

it('keeps no reply that is too large or has no tag, and returns each whole', async () => {
  const kept = new KeptReplies();
  const large = await kept.keep('a', reply(17 * MIB));
  const untagged = await kept.keep('b', reply(1, null));
  expect([
    (await large.arrayBuffer()).byteLength,
    (await untagged.arrayBuffer()).byteLength,
  ]).toEqual([17 * MIB, 1]);
  expect([kept.of('a'), kept.of('b')]).toEqual([undefined, undefined]);
});

it('has the headers of the 304 that confirmed it, and names no catalogue without it', () => {
  const headers = new Headers({ 'catalogue-tag': 'old', 'data-version': 'v1', etag: '"a"' });
  const kept = { tag: '"a"', bytes: new ArrayBuffer(1), headers };
  const confirm = (of: Record<string, string>) =>
    Object.fromEntries(refreshed(kept, new Response(null, { status: 304, headers: of })).headers);
  expect(confirm({ 'data-version': 'v2' })).toEqual({ 'data-version': 'v2', etag: '"a"' });
  expect(confirm({ 'catalogue-tag': 'new' })).toMatchObject({ 'catalogue-tag': 'new' });
});
