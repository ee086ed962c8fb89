import { freePort } from '@proj/test-servers';

import { startChild } from '../processes/child.ts';
import type { RouteInput } from './route-process.ts';
import type { Server } from './server.ts';

/** A route that somebody would write by hand. */
export interface Route extends Server {
  /** Sets what a static route answers from now on. */
  setReply(reply: string): Promise<void>;
}

/** Starts a Fastify process with one route: no validation, no log. */
export async function startRoute(input: Omit<RouteInput, 'port'>): Promise<Route> {
  const whole: RouteInput = { ...input, port: await freePort() };
  const child = await startChild('./route-process', import.meta.url, whole);
  const { greeting, pid, stop } = child;
  const setReply = async (reply: string): Promise<void> => void (await child.ask(reply));
  return { origin: String(greeting), pid, stop, setReply };
}
