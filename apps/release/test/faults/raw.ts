import { once } from 'node:events';
import { connect } from 'node:net';

import { TOKEN } from '../support/service.ts';

/** The head of a query with a token, for bytes that no HTTP client would send. */
export function queryHead(...lines: readonly string[]): string {
  const headers = [
    'Host: 127.0.0.1',
    `Authorization: Bearer ${TOKEN}`,
    'Content-Type: application/json',
    ...lines,
  ];
  return `POST /api/v1/dynamic/query HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
}

/** Sends bytes as they are. @returns all that came back until the server closed the connection. */
export async function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server may close while the rest is still on its way; what it said before counts.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  return Buffer.concat(chunks).toString();
}

/** The statuses of the replies in what a server sent, in their order. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
