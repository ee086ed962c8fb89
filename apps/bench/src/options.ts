import { DATABASES, type DatabaseName, DEPTHS, type Factors } from './scenarios.ts';
import {
  type ListKind,
  LISTS,
  type Setup,
  SETUPS,
  WRITTEN,
  type WrittenTo,
} from './under-writes/trials.ts';

/** Pages, starts and whole tables beside others, or pages under writes. */
const PARTS = ['pages', 'writes'] as const;
type Part = (typeof PARTS)[number];

/** What a run does, complete. */
export interface BenchOptions extends Factors {
  readonly databases: readonly DatabaseName[];
  /** Servers to use instead of starting some. */
  readonly urls: Partial<Record<DatabaseName, string>>;
  readonly connections: number;
  /** For each subject in each scenario. */
  readonly seconds: number;
  /** The rounds in which subjects take turns. */
  readonly rounds: number;
  /** Which parts are measured. */
  readonly parts: readonly Part[];
  /** What is read while others write. */
  readonly setups: readonly Setup[];
  /** What the writers of `writes` write to. */
  readonly written: readonly WrittenTo[];
  /** Of which lists pages are read under `writes`. */
  readonly lists: readonly ListKind[];
  /** Transactions per second of the writers of `writes`. */
  readonly writeRates: readonly number[];
  /** How long each trial of `writes` asks at a fixed rate, and then as fast as it is answered. */
  readonly trialSeconds: number;
  /** How often fresh processes are started for their first deep request. */
  readonly starts: number;
  /** The folder of `performance.md`. */
  readonly out: string;
}

/** Options as they are typed; the absent ones have their defaults. */
export interface BenchFlags {
  readonly databases?: string;
  readonly rows?: string;
  readonly sizes?: string;
  readonly pages?: string;
  readonly writes?: string;
  readonly only?: string;
  readonly setups?: string;
  readonly written?: string;
  readonly lists?: string;
  readonly writeRates?: string;
  readonly trialSeconds?: string;
  readonly connections?: string;
  readonly seconds?: string;
  readonly rounds?: string;
  readonly out?: string;
  readonly postgresUrl?: string;
  readonly mariadbUrl?: string;
  readonly quick?: boolean;
  readonly full?: boolean;
}

const DEFAULTS = {
  rows: '10000,1000000,10000000',
  sizes: '10,100,1000',
  pages: DEPTHS.join(','),
  writes: '0,1,10,100',
  writeRates: '0,10,100,1000',
  trialSeconds: '4',
  seconds: '1',
  rounds: '2',
  starts: 3,
};

/** A minute and a half in all: to see whether everything works, not how fast it is. */
const QUICK: typeof DEFAULTS = {
  rows: '1000,10000',
  sizes: '10,100',
  pages: 'first,last',
  writes: '0,10',
  writeRates: '0,100',
  trialSeconds: '0.5',
  seconds: '0.2',
  rounds: '1',
  starts: 1,
};

/**
 * Completes and checks the options.
 *
 * @throws {RangeError} with what was expected and what was got.
 */
export function readOptions(flags: BenchFlags, defaultOut: string): BenchOptions {
  const base = flags.quick === true ? QUICK : DEFAULTS;
  return {
    databases: readChoices('databases', flags.databases ?? DATABASES.join(','), DATABASES),
    urls: {
      ...(flags.postgresUrl !== undefined && { postgres: flags.postgresUrl }),
      ...(flags.mariadbUrl !== undefined && { mariadb: flags.mariadbUrl }),
    },
    rows: numbers('rows', flags.rows ?? base.rows, { least: 100, most: 1e9 }),
    sizes: numbers('sizes', flags.sizes ?? base.sizes, { least: 1, most: 1000 }),
    depths: readChoices('pages', flags.pages ?? base.pages, DEPTHS),
    writes: numbers('writes', flags.writes ?? base.writes, { least: 0, most: 10_000 }),
    connections: one('connections', flags.connections ?? '16', { least: 1, most: 1000 }),
    seconds: fraction('seconds', flags.seconds ?? base.seconds),
    rounds: one('rounds', flags.rounds ?? base.rounds, { least: 1, most: 100 }),
    parts: readChoices('only', flags.only ?? PARTS.join(','), PARTS),
    setups: readChoices('setups', flags.setups ?? SETUPS.join(','), SETUPS),
    written: readChoices('written', flags.written ?? WRITTEN.join(','), WRITTEN),
    lists: readChoices('lists', flags.lists ?? LISTS.join(','), LISTS),
    writeRates: numbers('write-rates', flags.writeRates ?? base.writeRates, {
      least: 0,
      most: 10_000,
    }),
    trialSeconds: fraction('trial-seconds', flags.trialSeconds ?? base.trialSeconds),
    starts: base.starts,
    out: flags.out ?? defaultOut,
    full: flags.full === true,
  };
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function numbers(name: string, text: string, { least, most }: Range): number[] {
  return [...new Set(text.split(',').map(Number))].map((value) => {
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new RangeError(
      `--${name}: expected whole numbers from ${least} to ${most} such as ` +
        `${least},${least + 1}; got ${text}`,
    );
  });
}

function one(name: string, text: string, range: Range): number {
  const [value, ...others] = numbers(name, text, range);
  if (value === undefined || others.length > 0)
    throw new RangeError(`--${name}: expected one number; got ${text}`);
  return value;
}

function fraction(name: string, text: string): number {
  const value = Number(text);
  if (value >= 0.1 && value <= 3600) return value;
  throw new RangeError(`--${name}: expected a number from 0.1 to 3600; got ${text}`);
}

/** Some of the choices, in their order. */
export function readChoices<Choice extends string>(
  name: string,
  text: string,
  known: readonly Choice[],
): Choice[] {
  const wanted = new Set(text.split(','));
  const unknown = [...wanted].find((word) => !known.some((choice) => choice === word));
  if (unknown !== undefined)
    throw new RangeError(`--${name}: expected some of ${known.join(', ')}; got ${unknown}`);
  return known.filter((choice) => wanted.has(choice));
}
