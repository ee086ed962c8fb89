import { isDeepStrictEqual } from 'node:util';

import { type Engine, SettingsError } from '@proj/engine';

import type { LateEngine } from '../late-engine.ts';
import { databasesIn, databasesOf } from '../settings/databases.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import type { Settings } from '../settings/schema.ts';
import { exposureOf, prepareCatalogue } from './open-database.ts';
import type {
  NamedEngine,
  PreparedDatabases,
  ReloadChange,
  ServedDatabases,
} from '../served/served-databases.ts';

/**
 * The one database of a service.
 *
 * @param late what the engine waits for; absent where its database has answered
 */
export function oneDatabase(engine: Engine, late?: LateEngine): ServedDatabases {
  const named: NamedEngine = { name: undefined, engine };
  return {
    engine,
    each: () => [named],
    onOpen: (listener) => {
      if (late === undefined) listener(named);
      else void late.attached.then(() => listener(named));
    },
    demandServing: () => late?.demandServing(),
    prepare: (loaded, change) => prepare(engine, loaded, change),
    seenBy: (caller) => engine.replicas?.seenBy(caller),
    close: () => engine.close(),
  };
}

async function prepare(
  engine: Engine,
  loaded: LoadedSettings,
  { applied, cause }: ReloadChange,
): Promise<PreparedDatabases> {
  const [database] = databasesOf(loaded);
  if (loaded.settings.databases !== undefined || database === undefined)
    throw new SettingsError(
      `${loaded.place(['databases'])}databases: the service was started with \`database\`. ` +
        'Restart it.',
    );
  const rereads =
    cause === 'operator' || !isDeepStrictEqual(exposureOf(database.settings), exposureIn(applied));
  const { candidate, lines } = await prepareCatalogue(engine, database, rereads);
  return {
    known: candidate ?? engine,
    lines,
    rereads,
    apply: () => candidate?.apply(),
    discard: () => undefined,
  };
}

function exposureIn(settings: Settings): object | undefined {
  const [database] = databasesIn(settings);
  return database && exposureOf(database.settings);
}
