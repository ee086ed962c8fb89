import { setTimeout } from 'node:timers/promises';

import { type Engine, type EngineSettings, openEngine, SettingsError } from '@proj/engine';

import { INVARIANT } from './invariant.ts';
import { noReads, readBroken, readByEngine, type Reads } from './reads.ts';
import { scratchDatabase } from './scratch-database.ts';
import type { ScratchDatabase, ScratchSession } from './scratch-session.ts';
import { openScratchTable, type ScratchTable } from './scratch-table.ts';
import { type WriterCounts, writeAll } from './writers.ts';

export interface ProofOptions {
  readonly table: string;
  /** How long it is written and read. */
  readonly seconds: number;
  readonly commitsPerSecond: number;
  /** The login that makes and writes the table. Default: that of the service. */
  readonly writeAs?: string;
  /** Ends the proof early, and cleans up. */
  readonly signal: AbortSignal;
  /** Asked after each read. Ends the proof early where it says yes. Default: never. */
  readonly isEnough?: (proof: Proof) => boolean;
}

export interface Proof {
  /** How long the table was written and read, which may be less than was asked for. */
  readonly seconds: number;
  readonly writers: WriterCounts;
  readonly reads: Reads;
  /** Of the reads without a common state. */
  readonly broken: Reads;
}

const FEWEST_WRITERS = 4;

/** Leaves each writer four records. */
const MOST_WRITERS = INVARIANT.records / 4;

/** A transaction over several servers takes some ten milliseconds. */
const COMMITS_OF_WRITER = 50;

const READERS = 2;

/**
 * Writes a scratch table whose sum and number of records never change, and reads it meanwhile as
 * the service does with these settings. Removes only what it made.
 *
 * @throws {SettingsError} when the table holds something else, or the service does not serve it
 */
export async function proveState(settings: EngineSettings, options: ProofOptions): Promise<Proof> {
  if (!/^[a-z]\w{0,40}$/.test(options.table))
    throw new SettingsError('--table: expected a name of letters, digits and _, such as scratch.');
  const database = await scratchDatabase(options.writeAs ?? settings.database);
  const sessions: ScratchSession[] = [];
  try {
    const table = await opened(database, sessions)
      .then((own) => openScratchTable(database, own, options.table))
      .catch(explain);
    try {
      return await proveOn(table, { settings, database, sessions, options });
    } finally {
      await table.remove();
    }
  } finally {
    for (const session of sessions) await session.close().catch(() => undefined);
  }
}

/** @throws {SettingsError} that says who may make the table, where the database refuses that */
function explain(error: unknown): never {
  if (error instanceof SettingsError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new SettingsError(
    `--table: the table cannot be made (${reason}). Name a login that may, with --write-as <url>.`,
    { cause: error },
  );
}

async function opened(
  database: ScratchDatabase,
  sessions: ScratchSession[],
): Promise<ScratchSession> {
  const session = await database.open();
  sessions.push(session);
  return session;
}

interface ProofParts {
  readonly settings: EngineSettings;
  readonly database: ScratchDatabase;
  /** Closed when the proof ends. */
  readonly sessions: ScratchSession[];
  readonly options: ProofOptions;
}

async function proveOn(table: ScratchTable, parts: ProofParts): Promise<Proof> {
  const { settings, database, sessions, options } = parts;
  const engine = await openEngine({
    ...settings,
    expose: 'listed',
    models: { [table.name]: { attributes: 'all' } },
    maxPageSize: 2 * INVARIANT.records,
  });
  try {
    demandServed(engine, table.name);
    const { commitsPerSecond } = options;
    const writers = Math.max(FEWEST_WRITERS, Math.ceil(commitsPerSecond / COMMITS_OF_WRITER));
    const writing = await Promise.all(
      Array.from({ length: Math.min(writers, MOST_WRITERS) }, () => opened(database, sessions)),
    );
    const proof = {
      seconds: options.seconds,
      writers: { commits: 0, refused: 0 },
      reads: noReads(),
      broken: noReads(),
    };
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, options.signal]);
    const onRead = (): void => {
      if (options.isEnough?.(proof) === true) ending.abort();
    };
    const reading = { table, signal, onRead };
    const begunAt = performance.now();
    const broken = await opened(database, sessions);
    const work = [
      writeAll(writing, { table, commitsPerSecond, signal, counts: proof.writers }),
      ...Array.from({ length: READERS }, () =>
        readByEngine(engine, { ...reading, counts: proof.reads }),
      ),
      readBroken(broken, { ...reading, counts: proof.broken }),
    ];
    // Any failure ends the rest, and nothing is removed under a writer.
    const over = setTimeout(options.seconds * 1000, undefined, { signal }).catch(() => undefined);
    await Promise.race([over, Promise.all(work)]).catch(() => undefined);
    const taken = Math.round((performance.now() - begunAt) / 1000);
    proof.seconds = Math.min(taken, options.seconds);
    ending.abort();
    await Promise.allSettled(work);
    await Promise.all(work);
    return proof;
  } finally {
    await engine.close();
  }
}

/** @throws {SettingsError} that says why the service leaves the table out */
function demandServed({ catalogue, reports }: Engine, name: string): void {
  if (catalogue.has(name)) return;
  const report = reports.find(({ model }) => model === name);
  const reason = report === undefined ? 'Its login sees no such table.' : report.problem;
  throw new SettingsError(`--table: the service does not serve "${name}": ${reason}`);
}
