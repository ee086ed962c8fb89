import { connect, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

export const TOKEN = 'dq_replies-0123456789abcdefghijklmnopqrstuvw';

/** A list that is far more than is ever on its way to a caller. */
export const LARGE = `create table cities (id integer primary key, name text not null);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
  insert into cities select i, printf('%0500d', i) from n;`;

/** A connection, and what has come through it. */
export interface Opened {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<unknown>;
}

/** Sends a text over a connection of its own. */
export function open(port: number, text: string): Opened {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    received += part;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  return { socket, received: () => received, closed };
}

/** A request, as text. */
export function askText(
  path: string,
  body: object,
  { token = TOKEN, accept = '*/*' } = {},
): string {
  const text = JSON.stringify(body);
  return (
    `POST /${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nAccept: ${accept}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  );
}
