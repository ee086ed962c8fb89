import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { until } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

import { freeze } from '../support/processes.ts';
import type { Service } from '../support/service.ts';

/** Over so many connections. */
const CONNECTIONS = 128;

/** So many are sent over a connection before the first is answered: with more it is closed. */
const AT_ONCE = 8;

/** How many requests a burst has. */
export const BURST = CONNECTIONS * AT_ONCE;

/** A request as it is sent: `POST` with a body, else `GET`. */
export interface RawRequest {
  readonly path: string;
  readonly token: string;
  readonly body?: object;
}

/** A caller's connections to a service, which are closed with the test. */
export async function openConnections(
  service: Service,
  first: RawRequest,
  count = CONNECTIONS,
): Promise<Socket[]> {
  const { hostname, port } = new URL(service.origin);
  const { length } = answeredRoutes(service);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  // A connection is not accepted before it is answered.
  await Promise.all(
    sockets.map(async (socket) => {
      socket.write(textOf(first));
      await once(socket, 'data');
      socket.resume();
    }),
  );
  await until(() => answeredRoutes(service).length >= length + count);
  return sockets;
}

/** The bytes of a request. */
export function textOf({ path, token, body }: RawRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries({
    host: 'test',
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json', 'content-length': String(text.length) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const verb = body === undefined ? 'GET' : 'POST';
  return `${verb} /${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

/** The routes of the replies, in the order in which the service logged them. */
function answeredRoutes(service: Service): string[] {
  const lines = service.output().matchAll(/"route":"([^"]*)",.*"msg":"answered".*\n/g);
  return Array.from(lines, ([, route = '']) => route);
}

/**
 * Sends a burst of a busy caller, and after it one request of another one to a route of its own,
 * all while the service is stopped. It finds them at once, however fast it and the sender are.
 *
 * @returns how many requests of the burst the service answered before the other one.
 */
export async function answeredBefore(
  service: Service,
  busy: { readonly sockets: readonly Socket[]; readonly text: string },
  other: { readonly socket: Socket; readonly text: string; readonly route: string },
): Promise<number> {
  const { length } = answeredRoutes(service);
  const letGo = await freeze([service.child.pid ?? 0]);
  onTestFinished(letGo);
  for (const socket of busy.sockets) socket.write(busy.text.repeat(AT_ONCE));
  other.socket.write(other.text);
  await letGo();
  let routes: string[] = [];
  await until(() => {
    routes = answeredRoutes(service).slice(length);
    return routes.length > BURST && routes.includes(other.route);
  });
  return routes.indexOf(other.route);
}
