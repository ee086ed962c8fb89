import { withDeadline } from '../deadline.ts';
import { readInSnapshot, shaped, termsOf } from './read.ts';
import type { Versioned } from './reads/primitives.ts';
import { readList } from './reads/list.ts';
import type { DatabaseSource, Snapshot, Source } from './source.ts';

const PING = { timeoutMs: 10_000 };

/** Fills in what a source leaves out, by statements in its snapshots. */
export function withDefaults(source: DatabaseSource): Source {
  const defaults: Pick<Source, 'read' | 'list' | 'ping'> = {
    read: (read, call) =>
      source.inSnapshot(
        termsOf(read),
        (snapshot) => readInSnapshot(snapshot, read, source.dialect.groups),
        shaped(read, call),
      ),
    list: async (list, sink, call) => {
      const work = async (snapshot: Snapshot): Promise<Versioned> => {
        await readList(snapshot, { list, sink });
        return { version: undefined };
      };
      await source.inSnapshot(list, work, call);
    },
    ping: async () => {
      const asked = { sql: 'select 1', parameters: [] };
      await withDeadline(PING, (call) => defaults.read({ kind: 'row', asked }, call));
    },
  };
  const { read = defaults.read, list = defaults.list, ping = defaults.ping } = source;
  return Object.assign(source, { read, list, ping });
}
