import { once } from 'node:events';
import { connect } from 'node:net';

import type { Reply } from './problem.ts';

/**
 * Sends bytes over a connection of its own, as they are, and gives everything that came back until
 * the server closed it.
 */
export async function rawExchange(
  port: number,
  bytes: string | Buffer,
  host = '127.0.0.1',
): Promise<string> {
  const socket = connect(port, host);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server may close while the rest of a body is still on its way; what it said before counts.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  return Buffer.concat(chunks).toString();
}

/** The replies in what a server sent, in their order. Every one must declare its length. */
export function readReplies(text: string): Reply[] {
  const replies: Reply[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: */, '')]),
    );
    const body = Buffer.from(rest.slice(end + 4))
      .subarray(0, Number(headers['content-length'] ?? 0))
      .toString();
    replies.push({ statusCode: Number(statusLine.split(' ')[1]), headers, body });
    rest = rest.slice(end + 4 + body.length);
  }
  return replies;
}

/** The one reply to bytes that the server answers once and then closes on. */
export async function rawReply(port: number, bytes: string | Buffer): Promise<Reply> {
  const replies = readReplies(await rawExchange(port, bytes));
  const [reply] = replies;
  if (reply === undefined || replies.length > 1)
    throw new Error(`Expected one reply, got ${replies.length}.`);
  return reply;
}
