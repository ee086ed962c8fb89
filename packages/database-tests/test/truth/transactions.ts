import type { Fixture } from '../fixtures/fixture.ts';
import type { History } from './history.ts';
import { OWNERS, type Row } from './models.ts';
import type { Random } from './random.ts';
import { anyNote, anyOwner, anySortKeys, anyTask, ROWS, SPARE_IDS } from './rows.ts';
import type { Store } from './store.ts';
import { editing, filling, type Transaction, withDetour } from './transaction.ts';
import type { Edit } from './world.ts';

/** What transactions are made from. */
export interface Making {
  readonly random: Random;
  readonly history: History;
  readonly fixture: Fixture;
  readonly store: Store;
}

/** Which tasks a writer may touch while others write: those whose number leaves this remainder. */
export interface Share {
  readonly remainder: number;
  readonly of: number;
}

/**
 * A few edits of single tasks: they come, go, move in the order, or change what nobody sorts by.
 */
export function anyEdits({ random, history, fixture }: Making, share: Share): Transaction {
  const tasks = history.rows('tasks');
  const ids = new Set(
    Array.from({ length: random.integer(1, 4) }, () => anyId(random, tasks, share)),
  );
  const edits = [...ids].map((id) => editOf(random, id, tasks.get(id)));
  const transaction = editing(fixture, edits);
  return random.chance(0.1) ? withDetour(transaction, anyId(random, tasks, share)) : transaction;
}

/**
 * A number of the share. Where tasks are few it tends to be free, and where they are many to be
 * taken.
 */
function anyId(random: Random, tasks: ReadonlyMap<number, Row>, { remainder, of }: Share): number {
  const draw = (): number => random.integer(0, Math.floor(SPARE_IDS / of) - 1) * of + remainder + 1;
  const free = random.chance(0.35);
  let id = draw();
  for (let tries = 0; tries < 5 && tasks.has(id) === free; tries++) id = draw();
  return id;
}

function editOf(random: Random, id: number, before: Row | undefined): Edit {
  if (before === undefined) return { table: 'tasks', before, after: anyTask(random, id) };
  const after = random.pick([
    undefined,
    { ...before, ...anySortKeys(random) },
    { ...before, note: anyNote(random) },
  ]);
  return { table: 'tasks', before, after };
}

/** Changes that no other writer may run beside. */
export type Upheaval = 'owner' | 'many go' | 'many move' | 'many come' | 'all anew';

const UPHEAVALS = [
  'owner',
  'owner',
  'many go',
  'many move',
  'many come',
  'all anew',
  'all anew',
] as const;

/** One commit after the other. */
export function anyUpheaval(
  making: Making,
  kinds: readonly [Upheaval, ...Upheaval[]] = UPHEAVALS,
): readonly Transaction[] {
  const kind = making.random.pick(kinds);
  if (kind === 'owner') return [anyOwnerEdit(making)];
  if (kind === 'all anew') return allAnew(making);
  if (kind === 'many come') return [manyCome(making)];
  return [kind === 'many go' ? manyGo(making) : manyMove(making)];
}

/** An owner comes, goes, or gets another title, and with it what a join shows of many tasks. */
function anyOwnerEdit({ random, history, fixture }: Making): Transaction {
  const id = random.integer(1, OWNERS);
  const before = history.rows('owners').get(id);
  const after = before !== undefined && random.chance(0.3) ? undefined : anyOwner(random, id);
  return editing(fixture, [{ table: 'owners', before, after }]);
}

function manyGo({ random, history }: Making): Transaction {
  const remainder = random.integer(0, 4);
  const gone = [...history.rows('tasks').values()].filter(({ id }) => id % 5 === remainder);
  const statements = [`delete from tasks where id % 5 = ${remainder}`];
  return {
    statements,
    closing: 'commit',
    edits: gone.map((before) => ({ table: 'tasks', before, after: undefined })),
  };
}

function manyMove({ random, history }: Making): Transaction {
  const owner = random.integer(1, OWNERS);
  const grade = random.pick([null, 3, 7]);
  const moved = [...history.rows('tasks').values()].filter((row) => row['owner'] === owner);
  const statements = [`update tasks set grade = ${grade} where owner = ${owner}`];
  return {
    statements,
    closing: 'commit',
    edits: moved.map((before) => ({ table: 'tasks', before, after: { ...before, grade } })),
  };
}

/** Fills the table up again after many have gone. */
function manyCome({ random, history, fixture }: Making): Transaction {
  const tasks = history.rows('tasks');
  const rows: Row[] = [];
  for (let id = 1; id <= SPARE_IDS && rows.length < ROWS - tasks.size; id++)
    if (!tasks.has(id)) rows.push(anyTask(random, id));
  return filling(fixture, 'tasks', rows);
}

/** Empties the table and loads it again: in one commit, where the database can. */
function allAnew({
  random,
  history,
  fixture,
  store: { emptying },
}: Making): readonly Transaction[] {
  const statement = `${emptying.verb} tasks`;
  const edits = [...history.rows('tasks').values()].map((before): Edit => ({
    table: 'tasks',
    before,
    after: undefined,
  }));
  const loading = filling(fixture, 'tasks', firstTasks(random));
  if (emptying.commits) return [{ statements: [], closing: statement, edits }, loading];
  return [
    {
      statements: [statement, ...loading.statements],
      closing: 'commit',
      edits: [...edits, ...loading.edits],
    },
  ];
}

/** What a new table holds: every other number. */
export function firstTasks(random: Random): Row[] {
  return Array.from({ length: ROWS }, (_, index) => anyTask(random, 2 * index + 1));
}

export function firstOwners(random: Random): Row[] {
  return Array.from({ length: OWNERS }, (_, index) => anyOwner(random, index + 1));
}
