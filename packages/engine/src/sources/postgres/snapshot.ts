import { performance } from 'node:perf_hooks';

import { minifyJson } from '../minify-json.ts';
import { fromNearerEnd } from '../../sql/nearer-end.ts';
import type { Field } from '../../catalogue/field.ts';
import type { Checkpoints, PageRows, QueryPage, ReadCall, RowsRead } from '../source.ts';
import type { QueryStatements, RowsStatement } from '../../sql/query-statements.ts';
import { bind, type Statement } from '../../sql/statement.ts';
import type { Row } from './connection.ts';
import type { Database } from './database.ts';
import type { Ask } from './running-work.ts';

/**
 * Of a statement that it keeps, a session makes one plan for any page as soon as the plans for
 * single pages cost no less. After a walk through deep pages they do, and a large table's first
 * page would then be sorted out of the whole. So deep pages are planned each time, which next to
 * reading them costs nothing.
 */
const DEEPEST_KEPT_OFFSET = 1000n;

/** What a page and its total are read with. */
export interface PageQuestion extends QueryPage {
  /** Tells the version of the data alone. */
  readonly version: Statement;
}

/**
 * Reads a page and its total from one snapshot: in one statement, or for a deep page from that end
 * of the list which is nearer.
 */
export function readPage(
  database: Database,
  question: PageQuestion,
  call: ReadCall,
): Promise<PageRows> {
  const { query, range } = question;
  const deep = range.offset > DEEPEST_KEPT_OFFSET && query.reversed !== undefined;
  return versioned(database, () =>
    deep || query.pageWithTotal === undefined
      ? database.inSnapshot(
          async (ask) => single(await readInSnapshot(ask, [question], question.version)),
          call,
        )
      : readPageWithTotal(database, { statement: query.pageWithTotal, query, range }, call),
  );
}

/** Reads several pages of lists that have one total, which is counted once. */
export async function readBatch(
  database: Database,
  { pages, version }: { readonly pages: readonly QueryPage[]; readonly version: Statement },
  call: ReadCall,
): Promise<PageRows[]> {
  let read: PageRows[] = [];
  const seen = await database.versioned(async () => {
    read = await database.inSnapshot((ask) => readInSnapshot(ask, pages, version), call);
    return read[0]?.version;
  });
  return read.map((page) => ({ ...page, version: seen }));
}

/** Reads the elements of a page in one statement. */
export function readRows(
  database: Database,
  rows: RowsStatement,
  call: ReadCall,
): Promise<RowsRead> {
  return versioned(database, async () =>
    rowsOf(await database.ask(rowsQuestion(rows), call), rows.fields),
  );
}

export function readCheckpoints(
  database: Database,
  statement: Statement,
  call: ReadCall,
): Promise<Checkpoints> {
  return versioned(database, async () => {
    const [keys, version] = await database.ask({ statement, named: false }, call);
    return { keys: JSON.parse(keys ?? '[]') as (string | null)[][], version: version ?? undefined };
  });
}

/**
 * A version holds as long as no connection broke: a server that crashed may use the numbers of lost
 * transactions again.
 */
async function versioned<Read extends { readonly version: string | undefined }>(
  database: Database,
  read: () => Promise<Read>,
): Promise<Read> {
  let found: Read | undefined;
  const version = await database.versioned(async () => {
    found = await read();
    return found.version;
  });
  if (found === undefined) throw new Error('Nothing was read.');
  return { ...found, version };
}

interface PageWithTotalQuestion extends Pick<PageQuestion, 'query' | 'range'> {
  readonly statement: NonNullable<QueryStatements['pageWithTotal']>;
}

async function readPageWithTotal(
  database: Database,
  question: PageWithTotalQuestion,
  call: ReadCall,
): Promise<PageRows> {
  const { statement, query, range } = question;
  const started = performance.now();
  const rows = {
    statement,
    bindings: range,
    fields: query.fields,
    reversed: false,
    maxBytes: query.maxBytes,
  };
  const row = await database.ask(rowsQuestion(rows), call);
  const read = rowsOf(row, query.fields);
  const [, , , total] = row;
  const proven = range.offset + BigInt(read.rows);
  return {
    ...read,
    total: total === null || total === undefined ? proven : BigInt(total),
    milliseconds: { rows: performance.now() - started, count: 0 },
  };
}

/**
 * A transaction at REPEATABLE READ has one snapshot for all of its statements; the first of them
 * takes it, which `lock` does not.
 */
async function readInSnapshot(
  ask: Ask,
  pages: readonly QueryPage[],
  version: Statement,
): Promise<PageRows[]> {
  const { query: first } = single(pages);
  if (first.lock !== undefined) await ask({ statement: first.lock, named: false });
  const started = performance.now();
  const total = BigInt((await ask({ statement: first.count, named: false }))[0] ?? 0);
  const count = performance.now() - started;
  const read: PageRows[] = [];
  for (const { query, range } of pages) {
    const begun = performance.now();
    const way = fromNearerEnd(query, range, total);
    const rows =
      way === undefined
        ? {
            json: '[]',
            rows: 0,
            version: (await ask({ statement: version, named: false }))[0] ?? undefined,
          }
        : rowsOf(await ask(rowsQuestion(way)), query.fields);
    read.push({ ...rows, total, milliseconds: { count, rows: performance.now() - begun } });
  }
  return read;
}

function single<Value>([value]: readonly Value[]): Value {
  if (value === undefined) throw new Error('Nothing was asked for.');
  return value;
}

function rowsQuestion({
  statement,
  bindings: { size: limit, ...rest },
}: RowsStatement): Parameters<Ask>[0] {
  return {
    statement: bind(statement, { limit, ...rest }),
    named: rest.offset <= DEEPEST_KEPT_OFFSET,
  };
}

function rowsOf([json, rows, version]: Row, fields: readonly Field[]): RowsRead {
  const text = typeof json === 'string' && fields.some(holdsJson) ? minifyJson(json) : json;
  return { json: text ?? undefined, rows: Number(rows), version: version ?? undefined };
}

/** White space inside a JSON column travels from no database. */
function holdsJson({ type, items }: Field): boolean {
  return type === 'json' || items === 'json';
}
