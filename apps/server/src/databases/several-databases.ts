import { type Engine, JoinedEngine, SettingsError } from '@proj/engine';
import type { Logger } from 'pino';

import { checkAccess } from '../checks/check-settings.ts';
import { databasesOf, type LoadedDatabase, ofDatabase } from '../settings/databases.ts';
import { cacheMemory, type Spread } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { withReloaded } from '../settings/restart.ts';
import { ofAllDatabases } from './all-databases.ts';
import { mayHave, type Member, type MemberParts, nameOf, openMember } from './member.ts';
import { catalogueOf, type NextMember, prepareMember } from './prepare-member.ts';
import type {
  NamedEngine,
  PreparedDatabases,
  ReloadChange,
  ServedDatabases,
} from '../served/served-databases.ts';
import { partsOfCaller } from './spread.ts';
import { demandUniqueNames } from './unique-names.ts';

type OpenListener = (opened: NamedEngine) => void;

/** Several databases of a service. One that is away leaves the others alone. */
export class SeveralDatabases implements ServedDatabases {
  readonly engine = new JoinedEngine();
  readonly #parts: MemberParts;
  readonly #listeners: OpenListener[] = [];
  #members: readonly Member[] = [];
  #loaded: LoadedSettings;

  private constructor(loaded: LoadedSettings, spread: Spread, log: Logger) {
    this.#loaded = loaded;
    this.#parts = {
      spread,
      log,
      demandFit: (database, engine) => this.#demandFit(database, engine),
      onOpen: (database, engine) => {
        this.#share(database, engine);
        this.#announce({ name: database.name, engine });
      },
    };
  }

  /**
   * Opens all databases, and waits for those that are away while the others are served.
   *
   * @throws {SettingsError} when the settings are refused
   * @throws {QueryFailedError} when a database does not answer and is not waited for
   */
  static async open(
    loaded: LoadedSettings,
    spread: Spread,
    log: Logger,
  ): Promise<SeveralDatabases> {
    const databases = databasesOf(loaded);
    const several = new SeveralDatabases(loaded, spread, log);
    const parts = several.#partsOf(databases.length);
    const open = (one: LoadedDatabase): Promise<Member> => openMember(one, parts);
    const members = await ofAllDatabases(databases, open, closeAll);
    try {
      demandUniqueNames(members.map(namedCatalogue));
      several.#serve(members);
      checkAccess({ catalogue: several.engine.catalogue, mayHave: waitsIn(members) }, loaded);
      return several;
    } catch (error) {
      await closeAll(members);
      throw error;
    }
  }

  /** What an operator should know of the databases. */
  get warnings(): string[] {
    return this.#members.flatMap((member) => linesOf(member, member.warnings));
  }

  readonly each = (): readonly NamedEngine[] => this.#members.map(named);

  readonly onOpen = (listener: OpenListener): void => {
    this.#listeners.push(listener);
    for (const member of this.#members)
      if (member.waiting?.isOpen !== false) listener(named(member));
  };

  /** Those that answer are served, whichever do not. */
  readonly demandServing = (): void => undefined;

  readonly prepare = async (
    loaded: LoadedSettings,
    { started, cause }: ReloadChange,
  ): Promise<PreparedDatabases> => {
    if (loaded.settings.databases === undefined)
      throw new SettingsError(
        `${loaded.place(['database'])}database: the service was started with \`databases\`. ` +
          'Restart it.',
      );
    const settings = withReloaded(started, loaded.settings);
    const next = { ...loaded, settings };
    const known = new Map(this.#members.map((member) => [nameOf(member), member]));
    const databases = databasesOf(next);
    const parts = { ...this.#partsOf(databases.length), cause };
    const prepare = (one: LoadedDatabase): Promise<NextMember> =>
      prepareMember(known.get(one.name ?? ''), one, parts);
    const prepared = await ofAllDatabases(databases, prepare, closeNew);
    try {
      demandUniqueNames(
        prepared.map((one) => ({ name: nameOf(one.member), catalogue: catalogueOf(one) })),
      );
    } catch (error) {
      await closeNew(prepared);
      throw error;
    }
    return this.#prepared(prepared, next);
  };

  readonly seenBy = (text: string): string | undefined => {
    const [name, caller = ''] = partsOfCaller(text) ?? [];
    const member = this.#members.find((one) => nameOf(one) === name);
    return member?.engine.replicas?.seenBy(caller);
  };

  readonly close = (): Promise<void> => closeAll(this.#members);

  #prepared(prepared: readonly NextMember[], loaded: LoadedSettings): PreparedDatabases {
    const members = prepared.map(({ member }) => member);
    const engines = new Set(members.map(({ engine }) => engine));
    const left = this.#members.filter(({ engine }) => !engines.has(engine));
    return {
      known: {
        get catalogue() {
          return new Map(prepared.flatMap((one) => [...catalogueOf(one)]));
        },
        mayHave: waitsIn(members),
      },
      lines: prepared.flatMap(({ member, lines }) => linesOf(member, lines)),
      rereads: left.length > 0 || prepared.some(({ rereads }) => rereads),
      apply: () => {
        for (const { candidate } of prepared) candidate?.apply();
        this.#loaded = loaded;
        this.#serve(members);
        for (const { isNew, member } of prepared)
          if (isNew && member.waiting === undefined) this.#announce(named(member));
        for (const member of left)
          void this.engine.settled(member.engine).then(() => closeAll([member]));
      },
      discard: () => void closeNew(prepared),
    };
  }

  #serve(members: readonly Member[]): void {
    this.#members = members;
    this.engine.replace(
      members.map((member) => ({
        engine: member.engine,
        mayHave: (model) => mayHave(member, model),
      })),
    );
    for (const { loaded, engine, waiting } of members) {
      this.#share(loaded, engine);
      waiting?.begin();
    }
  }

  /** What members are opened with where there are so many databases. */
  #partsOf(databases: number): MemberParts {
    return { ...this.#parts, spread: { ...this.#parts.spread, databases } };
  }

  /** Gives the caches of a database their part of the memory that all share. */
  #share({ settings }: LoadedDatabase, engine: Engine): void {
    const { length: databases } = this.#members;
    engine.setCacheMemory(cacheMemory(settings, { ...this.#parts.spread, databases }));
  }

  /** @throws {SettingsError} when a database that answers late does not fit the others */
  #demandFit({ name = '' }: LoadedDatabase, { catalogue }: Engine): void {
    const others = this.#members.filter((member) => nameOf(member) !== name);
    demandUniqueNames([...others.map(namedCatalogue), { name, catalogue }]);
    const joined = [...this.engine.catalogue, ...catalogue];
    checkAccess({ catalogue: new Map(joined), mayHave: waitsIn(others) }, this.#loaded);
  }

  #announce(opened: NamedEngine): void {
    for (const listener of this.#listeners) listener(opened);
  }
}

/** Whether one of the members may have a model that is not known yet. */
function waitsIn(members: readonly Member[]): (model: string) => boolean {
  return (model) => members.some((member) => mayHave(member, model));
}

function named(member: Member): NamedEngine & { readonly name: string } {
  return { name: nameOf(member), engine: member.engine };
}

function namedCatalogue(member: Member): Parameters<typeof demandUniqueNames>[0][number] {
  return { name: nameOf(member), catalogue: member.engine.catalogue };
}

function linesOf(member: Member, lines: readonly string[]): string[] {
  return lines.map((line) => ofDatabase(nameOf(member), line));
}

async function closeAll(members: readonly Member[]): Promise<void> {
  await Promise.all(members.map(({ waiting, engine }) => (waiting ?? engine).close()));
}

async function closeNew(prepared: readonly NextMember[]): Promise<void> {
  await closeAll(prepared.filter(({ isNew }) => isNew).map(({ member }) => member));
}
