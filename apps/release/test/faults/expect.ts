import assert from 'node:assert/strict';

import { itemsPage, type Reply } from '../support/ask.ts';
import type { Service } from '../support/service.ts';

/** Demands a reply with a status and, where it is a problem, with one of the codes. */
export function demandReply(reply: Reply, status: number, ...codes: readonly string[]): void {
  const seen = `${reply.status} ${reply.code ?? ''}: ${reply.text.slice(0, 300)}`;
  assert.equal(reply.status, status, `expected ${status} ${codes.join(' or ')}; got ${seen}`);
  if (codes.length > 0)
    assert.ok(codes.includes(reply.code ?? ''), `expected ${codes.join(' or ')}; got ${seen}`);
}

/** Demands that a status is one of several. */
export function demandStatus({ status, text }: Reply, ...statuses: readonly number[]): void {
  assert.ok(
    statuses.includes(status),
    `expected ${statuses.join(' or ')}; got ${status}: ${text.slice(0, 300)}`,
  );
}

/** Demands the first page of `items` as it is. */
export async function demandItems(service: Service): Promise<void> {
  const reply = await service.ask(itemsPage());
  demandReply(reply, 200);
  assert.match(
    reply.text,
    /^\{"result":\[\{"id":(1|"1"),"name":"item 1"\}/,
    `another page than that of items: ${reply.text.slice(0, 200)}`,
  );
}
