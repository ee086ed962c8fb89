import { markdownTable } from '../report/markdown-table.ts';
import { COSTS } from './costs.ts';
import { type Outcome, Simulation } from './simulation.ts';
import { stepOf, type System } from './system.ts';

/** The flags of the command: all are numbers. */
export interface SimulateFlags {
  readonly rows: string;
  readonly requests: string;
  readonly processes: string;
  readonly databases: string;
  readonly cores: string;
  readonly lists: string;
  readonly firstPages: string;
  readonly writes: string;
  readonly keptReplies: string;
  readonly indexKeys: string;
  readonly seconds: string;
  readonly seed: string;
}

/** Of processors that are busy for a larger part, queues get long. */
const BUSY_PART = 0.6;

/** What a key of a page index takes in memory, in bytes. */
const BYTES_OF_KEY = 72;

/**
 * Simulates the service and prints what it would need.
 *
 * @throws {RangeError} where a flag is no number, or not positive where it has to be
 */
export function runSimulate(flags: SimulateFlags, print: (line: string) => void): void {
  const system = systemOf(flags);
  const seconds = positive('seconds', flags.seconds);
  const outcome = new Simulation(system, number('seed', flags.seed)).run(seconds);
  print(markdownTable(['simulated', 'value'], [...answers(outcome), ...cores(outcome, system)]));
  print('');
  print(markdownTable(['page index', 'value'], pageIndex(system)));
}

type Line = readonly [name: string, value: string];

function answers({ requests, latencies, kept, readsPerRequest, ...outcome }: Outcome): Line[] {
  return [
    ['requests', requests.toString()],
    ['p50, ms', (latencies.quantile(0.5) ?? 0).toPrecision(3)],
    ['p99, ms', (latencies.quantile(0.99) ?? 0).toPrecision(3)],
    ['answered by a kept reply', percent(kept)],
    ['reads per request', readsPerRequest.toFixed(3)],
    ['version checks per second', Math.round(outcome.checksPerSecond).toString()],
  ];
}

function cores({ busyCores }: Outcome, system: System): Line[] {
  const { processes, databases, coresOfDatabase } = system;
  return [
    ['cores of the service, busy', percent(busyCores.service / processes)],
    ['the same, needed', coresNeeded(busyCores.service)],
    ['cores of the databases, busy', percent(busyCores.database / (databases * coresOfDatabase))],
    ['the same, needed', coresNeeded(busyCores.database)],
  ];
}

function pageIndex(system: System): Line[] {
  return [
    ['records from one key to the next', stepOf(system).toString()],
    ['memory, MB', indexMegabytes(system)],
    ['building it, hours', buildHours(system)],
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** So many that they are busy for no larger part than queues stay short with. */
function coresNeeded(busy: number): string {
  return Math.ceil(busy / BUSY_PART).toString();
}

function indexMegabytes(system: System): string {
  return ((system.rows / stepOf(system)) * BYTES_OF_KEY * 1e-6).toFixed(1);
}

/** A walk pauses for as long as it reads. */
function buildHours({ rows, costs }: System): string {
  return ((rows * costs.walk * 2e-6) / 3600).toPrecision(2);
}

function systemOf(flags: SimulateFlags): System {
  return {
    processes: positive('processes', flags.processes),
    databases: positive('databases', flags.databases),
    coresOfDatabase: positive('cores', flags.cores),
    rows: positive('rows', flags.rows),
    lists: positive('lists', flags.lists),
    firstPages: number('first-pages', flags.firstPages),
    requestsPerSecond: positive('requests', flags.requests),
    writesPerSecond: number('writes', flags.writes),
    keptReplies: positive('kept-replies', flags.keptReplies),
    indexKeys: positive('index-keys', flags.indexKeys),
    costs: COSTS,
  };
}

function positive(name: string, text: string): number {
  const value = number(name, text);
  if (value === 0) throw new RangeError(`--${name} has to be more than 0.`);
  return value;
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0 || text.trim() === '')
    throw new RangeError(`--${name} has to be a number, such as 1e5; it is ${text}.`);
  return value;
}
