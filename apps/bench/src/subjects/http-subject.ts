import { loadOf, type LoadResult } from '../load/load.ts';
import { Latencies } from '../load/latencies.ts';
import type { Child } from '../processes/child.ts';
import { queryBody } from './query-body.ts';
import type { Subject, SubjectName } from './subject.ts';

/** Where a subject answers queries. */
export interface HttpAddress {
  readonly name: SubjectName;
  readonly origin: string;
  readonly pid: number;
  readonly token?: string;
  readonly stop: () => Promise<void>;
}

/** A subject that is asked over HTTP, by the process that makes the load. */
export function httpSubject(
  { name, origin, pid, token, stop }: HttpAddress,
  loader: Child,
): Subject {
  const url = `${origin}/api/v1/dynamic/query`;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers: Record<string, string> = { 'content-type': 'application/json', ...authorization };
  return {
    name,
    pid,
    stop,
    ask: async (rows, request) => {
      const reply = await fetch(url, { method: 'POST', headers, body: queryBody(rows, request) });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${name} answered ${reply.status}: ${text}`);
      return text;
    },
    load: async (work) => {
      const { counts, ...outcome } = (await loader.ask(
        loadOf(work, { url, headers }),
      )) as LoadResult;
      return { ...outcome, latencies: new Latencies(counts) };
    },
  };
}
