import { SettingsError } from '../errors.ts';
import type { SourceSettings } from './source-settings.ts';
import type { DatabaseSource, Snapshot, Source } from './source.ts';
import { withDeadline } from '../deadline.ts';
import { readInSnapshot, shaped, termsOf } from './read.ts';
import type { Versioned } from './reads/snapshot.ts';
import { readList } from './reads/whole-list.ts';

/** A kind of database that an engine can be opened over. Each has a package of its own. */
export interface DatabaseKind {
  /** The schemes of its URLs, in lower case and without a colon. */
  readonly schemes: readonly string[];
  readonly example: string;
  /** Whether to wait for it to start: a missing file never comes. Default, as below: false. */
  readonly isServer?: boolean;
  readonly canFollow?: boolean;
  readonly canReplicate?: boolean;
  /** Whether it can read as a caller. */
  readonly hasSessions?: boolean;
  /** @throws {SettingsError} for a bad URL, {@link QueryFailedError} without an answer */
  open(url: string, settings: SourceSettings): Promise<DatabaseSource>;
}

export function kindOf(url: string, kinds: readonly DatabaseKind[]): DatabaseKind | undefined {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  return kinds.find(({ schemes }) => schemes.includes(scheme.toLowerCase()));
}

/** @throws {SettingsError} when the URL names no database that can be opened, with what would */
export async function openSource(
  url: string,
  kinds: readonly DatabaseKind[],
  settings: SourceSettings = {},
): Promise<Source> {
  const kind = kindOf(url, kinds);
  if (kind === undefined) throw new SettingsError(noKindFor(kinds));
  if (settings.follow !== undefined && kind.canFollow !== true)
    throw new SettingsError(CANNOT_FOLLOW);
  return withDefaults(await kind.open(url, settings));
}

const CANNOT_FOLLOW = 'follow: the changes of this database cannot be followed. Leave it out.';

function noKindFor(kinds: readonly DatabaseKind[]): string {
  const schemes = kinds.flatMap((kind) => kind.schemes.map((scheme) => `${scheme}:`));
  const [first] = kinds;
  return first === undefined
    ? 'kinds: name the package of your database.'
    : `database: expected a URL that begins with ${schemes.join(' or ')}, such as ` +
        `${first.example}. Other databases need their package in \`kinds\`.`;
}

const PING = { timeoutMs: 10_000 };

/** Fills in what a source leaves out, by statements in its snapshots. */
function withDefaults(source: DatabaseSource): Source {
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
      await source.inSnapshot(list, work, { ...call, lane: 'lists' });
    },
    ping: async () => {
      const asked = { sql: 'select 1', parameters: [] };
      await withDeadline(PING, (call) => defaults.read({ kind: 'row', asked }, call));
    },
  };
  const { read = defaults.read, list = defaults.list, ping = defaults.ping } = source;
  return Object.assign(source, { read, list, ping });
}
