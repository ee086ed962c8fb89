import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';

import { requestId, SILENT } from '../endpoint/ask.ts';
import { problemAnswer } from '../endpoint/problem-answer.ts';
import type { HttpProblem } from '../endpoint/problems.ts';
import type { Exchange } from './open-connections.ts';

/** For a request that no app sees. */
export function sendProblem(
  { request, response }: Exchange,
  problem: HttpProblem,
  publicUrl?: string,
): void {
  const asked = { id: requestId(request.headers['x-request-id']), log: SILENT };
  const { status, headers, body } = problemAnswer(asked, problem, publicUrl);
  response.writeHead(status, headers).end(body);
}

/** For a connection without a request to answer; closes it. */
export function sendRawProblem(connection: Duplex, problem: HttpProblem, publicUrl?: string): void {
  const asked = { id: randomUUID(), log: SILENT };
  const { status, headers, body } = problemAnswer(asked, problem, publicUrl);
  const sent = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const head = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  // Imported, it would load `fetch`, `WebSocket` and all that they need.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body];
  connection.end(lines.join('\r\n'));
}
