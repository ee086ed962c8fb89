import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import type { HttpProblem } from '@proj/fastify/host';

/** For a connection without a request to answer; closes it. */
export function sendRawProblem(connection: Duplex, problem: HttpProblem, publicUrl?: string): void {
  const id = randomUUID();
  const body = JSON.stringify(problem.toDocument(id, publicUrl));
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${id}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
