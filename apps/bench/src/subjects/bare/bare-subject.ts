import { freePort } from '@proj/test-servers';

import { type Child, startChild } from '../../processes/child.ts';
import type { BenchDatabase } from '../../tables/bench-database.ts';
import { httpSubject } from '../http-subject.ts';
import type { Subject } from '../subject.ts';
import type { BareInput, BareKind } from './bare-process.ts';

/** A route whose reply can be set, where it is static. */
export interface BareSubject extends Subject {
  /** Sets what a static route answers from now on. */
  setReply(reply: string): Promise<void>;
}

/** Starts a Fastify process with one route: no auth, no validation, no log. */
export async function startBare(
  kind: BareKind,
  database: BenchDatabase,
  loader: Child,
): Promise<BareSubject> {
  const input: BareInput = {
    kind,
    database: database.name,
    url: database.url,
    port: await freePort(),
  };
  const child = await startChild('./bare-process', import.meta.url, input);
  const subject = httpSubject(
    { name: kind, origin: String(child.greeting), pid: child.pid, stop: child.stop },
    loader,
  );
  return { ...subject, setReply: async (reply) => void (await child.ask(reply)) };
}
