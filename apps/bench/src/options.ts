import { DATABASES, type DatabaseName } from './databases/database.ts';
import { DEPTHS, type Factors } from './scenarios.ts';
import { LIST_NAMES, SETUP_NAMES, WRITTEN } from './under-writes/trials.ts';

/** Pages, starts and whole tables beside others, or pages under writes. */
const PARTS = ['pages', 'writes'] as const;

/** An option of `run`. */
interface Flag<Value> {
  readonly says: string;
  /** @throws {RangeError} with what was expected and what was got. */
  readonly read: (name: string, text: string) => Value;
  /** What is read where nothing is typed. */
  readonly usual: string;
  /** The same for `--quick`. */
  readonly quick: string;
}

function flag<Value>(
  says: string,
  read: Flag<Value>['read'],
  [usual, quick = usual]: readonly [usual: string, quick?: string],
): Flag<Value> {
  return { says, read, usual, quick };
}

/** The options of `run` by their names, without those that say where something is. */
export const RUN_FLAGS = {
  databases: flag(`some of ${DATABASES.join()}`, choices(DATABASES), [DATABASES.join()]),
  rows: flag('the lengths of the tables', numbers(100, 1e9), [
    '10000,1000000,10000000',
    '1000,10000',
  ]),
  sizes: flag('the sizes of the pages', numbers(1, 1000), ['10,100,1000', '10,100']),
  pages: flag(`some of ${DEPTHS.join()}`, choices(DEPTHS), [DEPTHS.join(), 'first,last']),
  writes: flag('transactions per second of another connection', numbers(0, 10_000), [
    '0,1,10,100',
    '0,10',
  ]),
  only: flag('pages, writes: read pages beside other ways, or under writes', choices(PARTS), [
    PARTS.join(),
  ]),
  setups: flag(`under writes, some of ${SETUP_NAMES.join()}`, choices(SETUP_NAMES), [
    SETUP_NAMES.join(),
  ]),
  written: flag(`under writes, some of ${WRITTEN.join()}`, choices(WRITTEN), [WRITTEN.join()]),
  lists: flag(`under writes, some of ${LIST_NAMES.join()}`, choices(LIST_NAMES), [
    LIST_NAMES.join(),
  ]),
  writeRates: flag('under writes, transactions per second', numbers(0, 10_000), [
    '0,10,100,1000',
    '0,100',
  ]),
  trialSeconds: flag('under writes, for each of two loads', fraction, ['4', '0.5']),
  connections: flag('connections of the load', one(1, 1000), ['16']),
  seconds: flag('for each subject in each scenario', fraction, ['1', '0.2']),
  rounds: flag('in which the subjects take turns', one(1, 100), ['2', '1']),
  starts: flag('how often fresh processes are started', one(1, 100), ['3', '1']),
};

type RunFlags = typeof RUN_FLAGS;

/** Options as they are typed; the absent ones have their defaults. */
export type BenchFlags = { readonly [Name in keyof RunFlags]?: string } & {
  readonly out?: string;
  readonly postgresUrl?: string;
  readonly mariadbUrl?: string;
  readonly quick?: boolean;
};

type RunValues = { readonly [Name in keyof RunFlags]: ReturnType<RunFlags[Name]['read']> };

/** What a run does, complete. */
export interface BenchOptions extends Factors, Omit<RunValues, keyof Factors | 'pages' | 'only'> {
  /** Servers to use instead of starting some. */
  readonly urls: Partial<Record<DatabaseName, string>>;
  /** Which parts are measured. */
  readonly parts: RunValues['only'];
  /** The folder of `performance.md`. */
  readonly out: string;
}

/**
 * Completes and checks the options.
 *
 * @throws {RangeError} with what was expected and what was got.
 */
export function readOptions(flags: BenchFlags, defaultOut: string): BenchOptions {
  const { quick = false, out = defaultOut, postgresUrl, mariadbUrl } = flags;
  const read = Object.entries(RUN_FLAGS).map(([name, known]) => [
    name,
    known.read(kebab(name), flags[name as keyof RunFlags] ?? known[quick ? 'quick' : 'usual']),
  ]);
  const { pages: depths, only: parts, ...values } = Object.fromEntries(read) as RunValues;
  const urls = {
    ...(postgresUrl !== undefined && { postgres: postgresUrl }),
    ...(mariadbUrl !== undefined && { mariadb: mariadbUrl }),
  };
  return { ...values, depths, parts, urls, out };
}

/** `writeRates` as it is typed: `write-rates`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function numbers(least: number, most: number): Flag<number[]>['read'] {
  return (name, text) =>
    [...new Set(text.split(',').map(Number))].map((value) => {
      if (Number.isInteger(value) && value >= least && value <= most) return value;
      throw new RangeError(
        `--${name}: expected whole numbers from ${least} to ${most} such as ` +
          `${least},${least + 1}; got ${text}`,
      );
    });
}

function one(least: number, most: number): Flag<number>['read'] {
  return (name, text) => {
    const [value, ...others] = numbers(least, most)(name, text);
    if (value === undefined || others.length > 0)
      throw new RangeError(`--${name}: expected one number; got ${text}`);
    return value;
  };
}

function fraction(name: string, text: string): number {
  const value = Number(text);
  if (value >= 0.1 && value <= 3600) return value;
  throw new RangeError(`--${name}: expected a number from 0.1 to 3600; got ${text}`);
}

/** Some of the choices, in their order. */
export function choices<Choice extends string>(
  known: readonly Choice[],
): Flag<readonly Choice[]>['read'] {
  return (name, text) => {
    const wanted = new Set(text.split(','));
    const unknown = [...wanted].find((word) => !known.some((choice) => choice === word));
    if (unknown !== undefined)
      throw new RangeError(`--${name}: expected some of ${known.join(', ')}; got ${unknown}`);
    return known.filter((choice) => wanted.has(choice));
  };
}
