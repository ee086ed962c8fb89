import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { Latencies } from './latencies.ts';
import type { Load, Outcome } from './load.ts';

/** Requests at a fixed rate. */
export interface PacedLoad extends Pick<Load, 'url' | 'headers' | 'seconds'> {
  /** What is sent, in turns. */
  readonly bodies: readonly string[];
  readonly perSecond: number;
}

/** Requests beyond these wait for each other, and that counts. */
const CONNECTIONS = 64;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/**
 * Sends a request whenever one is due, whether or not those before it are answered. A time counts
 * from when its request was due, so that a stall is in all of those that it held up.
 */
export async function runPacedLoad(load: PacedLoad): Promise<Outcome> {
  const latencies = new Latencies();
  const started = performance.now();
  const amount = Math.max(1, Math.round(load.perSecond * load.seconds));
  let [refused, failed] = [0, 0];
  const send = async (number: number, due: number): Promise<void> => {
    try {
      const status = await statusOf(load, load.bodies[number % load.bodies.length] ?? '');
      if (status === 200) latencies.record(performance.now() - due);
      else refused++;
    } catch {
      failed++;
    }
  };
  const sent: Promise<void>[] = [];
  for (let number = 0; number < amount; number++) {
    const due = started + (number * 1000) / load.perSecond;
    await sleep(Math.max(0, due - performance.now()));
    sent.push(send(number, due));
  }
  await Promise.all(sent);
  const seconds = (performance.now() - started) / 1000;
  return { answered: latencies.total, seconds, latencies, refused, failed };
}

async function statusOf({ url, headers }: PacedLoad, body: string): Promise<number | undefined> {
  const sent = request(url, { method: 'POST', agent, headers: { ...headers } });
  sent.end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  reply.resume();
  await once(reply, 'end');
  return reply.statusCode;
}
