import { type AnsweringEngine, type Engine, JoinedEngine, SettingsError } from '@proj/engine';
import type { KnownModels } from '@proj/fastify/settings';
import type { Logger } from 'pino';

import { checkAccess } from '../checks/check-settings.ts';
import type { ReloadCause } from '../reload.ts';
import type { NamedEngine, OpenDatabases } from '../served/served-databases.ts';
import { databasesOf, type LoadedDatabase, ofDatabase } from '../settings/databases.ts';
import { cacheMemory, type Spread } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { withReloaded } from '../settings/restart.ts';
import type { Settings } from '../settings/schema.ts';
import { ofAllDatabases } from './all-databases.ts';
import { mayHave, type Member, type MemberParts, nameOf, openMember } from './member.ts';
import { catalogueOf, type NextMember, prepareMember } from './prepare-member.ts';
import { partsOfCaller } from './spread.ts';
import { demandUniqueNames } from './unique-names.ts';

type OpenListener = (opened: NamedEngine) => void;

interface ReloadChange {
  readonly started: Settings;
  readonly cause: ReloadCause;
}

export interface PreparedDatabases {
  readonly known: KnownModels;
  readonly lines: readonly string[];
  readonly rereads: boolean;
  apply(): void;
  discard(): void;
}

/** The databases of a service; one that is away does not affect the others. */
export class Databases implements OpenDatabases {
  readonly #joined = new JoinedEngine();
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
   * Opens all databases, and waits for those that are away.
   *
   * @throws {SettingsError} when the settings are refused
   * @throws {QueryFailedError} when a database does not answer and is not waited for
   */
  static async open(loaded: LoadedSettings, spread: Spread, log: Logger): Promise<Databases> {
    const databases = databasesOf(loaded);
    const opened = new Databases(loaded, spread, log);
    const parts = opened.#partsOf(databases.length);
    const open = (one: LoadedDatabase): Promise<Member> => openMember(one, parts);
    const members = await ofAllDatabases(databases, open, closeAll);
    try {
      demandUniqueNames(members.map(namedCatalogue));
      opened.#serve(members);
      checkAccess({ catalogue: opened.#joined.catalogue, mayHave: waitsIn(members) }, loaded);
      return opened;
    } catch (error) {
      await closeAll(members);
      throw error;
    }
  }

  /** Undefined where the settings have `databases`. */
  get #only(): Member | undefined {
    return this.#members.find(({ loaded: { name } }) => name === undefined);
  }

  /** Answers callers over all of them. */
  get engine(): AnsweringEngine {
    return this.#only?.engine ?? this.#joined;
  }

  /** Of an only database that was away: resolves with warnings; undefined when closed before. */
  get opening(): Promise<readonly string[] | undefined> | undefined {
    return this.#only?.waiting?.begin();
  }

  get warnings(): string[] {
    return this.#members.flatMap((member) => linesOf(member, member.warnings));
  }

  readonly each = (): readonly NamedEngine[] => this.#members.map(named);

  readonly onOpen = (listener: OpenListener): void => {
    this.#listeners.push(listener);
    for (const member of this.#members)
      if (member.waiting?.hasAnswered !== false) listener(named(member));
  };

  /** @throws {QueryFailedError} `database_unavailable` where it cannot be known who may ask */
  demandServing(): void {
    this.#only?.waiting?.demandServing();
  }

  /** A reload waits for the only database. */
  reload(reload: () => Promise<boolean>): Promise<boolean> {
    return this.#only?.waiting?.reload(reload) ?? reload();
  }

  /**
   * Checks settings as at the start.
   *
   * @throws {SettingsError} naming what does not fit
   * @throws {QueryFailedError} when a database that is needed for it does not answer
   */
  async prepare(
    loaded: LoadedSettings,
    { started, cause }: ReloadChange,
  ): Promise<PreparedDatabases> {
    const isOnly = this.#only !== undefined;
    const [is, was] = isOnly ? ['databases', 'database'] : ['database', 'databases'];
    if ((loaded.settings.databases === undefined) !== isOnly)
      throw new SettingsError(
        `${loaded.place([is])}${is}: the service was started with \`${was}\`. Restart it.`,
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
  }

  /** The latest log position shown to a caller here, by the caller's name in other processes. */
  seenBy(text: string): string | undefined {
    if (this.#only !== undefined) return this.#only.engine.replicas?.seenBy(text);
    const [name, caller = ''] = partsOfCaller(text) ?? [];
    const member = this.#members.find((one) => nameOf(one) === name);
    return member?.engine.replicas?.seenBy(caller);
  }

  close(): Promise<void> {
    return closeAll(this.#members);
  }

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
          this.#noteFailure(this.#joined.settled(member.engine).then(() => closeAll([member])));
      },
      discard: () => this.#noteFailure(closeNew(prepared)),
    };
  }

  /** What does not close as it should ends nothing else. */
  #noteFailure(closing: Promise<void>): void {
    closing.catch((err: unknown) => this.#parts.log.warn({ err }, 'a database was not closed'));
  }

  #serve(members: readonly Member[]): void {
    this.#members = members;
    this.#joined.replace(
      members.map((member) => ({
        engine: member.engine,
        mayHave: (model) => mayHave(member, model),
      })),
    );
    for (const { loaded, engine, waiting } of members) {
      this.#share(loaded, engine);
      void waiting?.begin();
    }
  }

  /** @param databases how many there are */
  #partsOf(databases: number): MemberParts {
    return { ...this.#parts, spread: { ...this.#parts.spread, databases } };
  }

  /** Gives the caches of a database their share of the common memory. */
  #share({ settings }: LoadedDatabase, engine: Engine): void {
    const { length: databases } = this.#members;
    engine.setCacheMemory(cacheMemory(settings, { ...this.#parts.spread, databases }));
  }

  /** @throws {SettingsError} when a late database does not fit the others */
  #demandFit({ name = '' }: LoadedDatabase, { catalogue }: Engine): void {
    const others = this.#members.filter((member) => nameOf(member) !== name);
    demandUniqueNames([...others.map(namedCatalogue), { name, catalogue }]);
    const joined = [...this.#joined.catalogue, ...catalogue];
    checkAccess({ catalogue: new Map(joined), mayHave: waitsIn(others) }, this.#loaded);
  }

  #announce(opened: NamedEngine): void {
    for (const listener of this.#listeners) listener(opened);
  }
}

function waitsIn(members: readonly Member[]): (model: string) => boolean {
  return (model) => members.some((member) => mayHave(member, model));
}

function named({ loaded: { name }, engine }: Member): NamedEngine {
  return { name, engine };
}

function namedCatalogue(member: Member): Parameters<typeof demandUniqueNames>[0][number] {
  return { name: nameOf(member), catalogue: member.engine.catalogue };
}

function linesOf(member: Member, lines: readonly string[]): string[] {
  return lines.map((line) => ofDatabase(member.loaded.name, line));
}

async function closeAll(members: readonly Member[]): Promise<void> {
  await Promise.all(members.map(({ waiting, engine }) => (waiting ?? engine).close()));
}

async function closeNew(prepared: readonly NextMember[]): Promise<void> {
  await closeAll(prepared.filter(({ isNew }) => isNew).map(({ member }) => member));
}
