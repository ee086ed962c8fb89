import { type Column, type Introspection, Texts } from '@proj/engine/database';

import type { Connection, ShownColumn } from '../connection/connection.ts';
import { isOfStatement } from '../connection/errors.ts';
import { encodingOf, extremesOf, wireTypeOf } from '../values/wire-types.ts';
import { shownTypeOf } from './shown-type.ts';
import { VARYING_CALL } from './varying-relations.ts';

type Refused = Introspection.Refused;

const TYPES =
  'text int32 int64 decimal float64 boolean date time timestamp timestamp_tz bytes json uuid';

const RULES: Texts.OperatorRules = {
  name: 'The server',
  words: { refused: '?:@#\\' },
  types: TYPES.split(' '),
  wider: {
    int32: ['int64', 'decimal', 'boolean'],
    int64: ['decimal', 'boolean'],
    boolean: ['int32', 'int64', 'decimal'],
    enum: ['text'],
    text: ['json'],
  },
  varying: VARYING_CALL,
  clocks: new RegExp(
    String.raw`\b(?:now|curdate|curtime|unix_timestamp|utc_(?:date|time|timestamp))\s*\(|` +
      String.raw`\b(?:current_(?:date|time|timestamp)|localtime|localtimestamp|utc_\w+)\b`,
    'i',
  ),
};

export async function describeComputed(
  asked: Introspection.AskedColumn,
  connection: Connection,
): Promise<Introspection.DescribedColumn> {
  const { sql, type = 'other', isOfRow, isOwn = false } = asked;
  const calls = isOwn ? NO_CALLS : await storedCalls(sql, connection);
  const refused = Texts.refusedColumn(asked, RULES) ?? calls.refused;
  if (refused !== undefined) return refused;
  const { condition, value } = Texts.statementsOf(asked, quoted);
  const fits = await tried(() => connection.columns(Texts.sqlOf(condition)));
  if ('problem' in fits) return fits;
  const described = await columnsOf(Texts.sqlOf(value), connection);
  if ('problem' in described) return described;
  const [column] = described.columns;
  if (column === undefined) throw new Error('An expression is one column.');
  const { name: _, nullable: __, description: ___, ...facts } = column;
  const collate = facts.collation === undefined ? '' : ` collate ${facts.collation}`;
  const other = isOwn ? undefined : Texts.otherType(column.type, type, RULES);
  if (other !== undefined) return other;
  return {
    ...facts,
    type,
    computed: { sql: `(${sql}\n)${collate}`, isOfRow: isOfRow && calls.unversioned === undefined },
    isLate: isLate(sql),
  };
}

/**
 * A server computes all rows of a selection with a subquery before it cuts a page. MariaDB finds
 * no outer rows for one without a table.
 */
function isLate(text: string): boolean {
  const words = Texts.plainSql(text, RULES.words).toLowerCase();
  const count = (word: string): number => words.split(new RegExp(`\\b${word}\\b`)).length - 1;
  return count('select') > 0 && count('select') <= count('from');
}

export async function describeSelection(
  selection: Introspection.AskedSelection,
  connection: Connection,
): Promise<Introspection.DescribedSelection> {
  const { sql: text } = selection;
  const { refused, ...calls } = await storedCalls(text, connection);
  const problem = Texts.refusedSelection(selection, RULES) ?? refused;
  return problem ?? { ...(await columnsOf(`${text}\n`, connection)), ...calls };
}

async function columnsOf(
  text: string,
  connection: Connection,
): Promise<{ readonly sql: string; readonly columns: readonly Column[] } | Refused> {
  const ask = async () => {
    const shown = await connection.columns(text);
    const collations = shown.map(({ name }) => `collation(\`q\`.${quoted(name)})`);
    // Of a row without values: a server tells the collation by the column.
    const [found = []] = await connection.command(
      `select ${collations.join(', ')} from (select 1 as \`one\`) as \`d\`
      left join (select * from (${text}) as \`s\` limit 0) as \`q\` on true`,
    );
    return { shown, found };
  };
  const answer = await tried(ask);
  if ('problem' in answer) return answer;
  const { shown, found } = answer;
  const columns = shown.map((column, index) => columnOf(column, String(found[index])));
  // A server compares with texts of an expression as with constants, which have no collation.
  const selected = columns.map(({ name, collation }, index) =>
    collation === undefined || shown[index]?.orgTable !== ''
      ? quoted(name)
      : `${quoted(name)} collate ${collation} as ${quoted(name)}`,
  );
  const isPlain = selected.every((one) => !one.includes('` collate '));
  const sql = isPlain ? text : `select ${selected.join(', ')} from (${text}) as \`s\``;
  return { sql, columns };
}

function columnOf(shown: ShownColumn, collation: string): Column {
  const type = shownTypeOf(shown);
  const [name = ''] = /^\w+/.exec(type) ?? [];
  const isText = name === 'varchar' || name === 'longtext';
  const isOther = isText && !collation.startsWith('utf8mb4_');
  return {
    name: shown.name,
    databaseType: isOther ? `${type} collate ${collation}` : type,
    type: wireTypeOf(name, type),
    nullable: true,
    description: null,
    extremes: extremesOf(type),
    ...(isText && { collation, encoding: encodingOf(collation) }),
  };
}

interface StoredCalls {
  /** Of a function that may give another result each time. */
  readonly refused?: Refused;
  readonly unversioned?: string;
}

const NO_CALLS: StoredCalls = {};

/** MariaDB stores functions outside of InnoDB: a replaced one makes no new version. */
async function storedCalls(text: string, connection: Connection): Promise<StoredCalls> {
  const names = Texts.calledNames(text, RULES.words).map((name) => `'${name}'`);
  if (names.length === 0) return NO_CALLS;
  const [[call, unsteady] = []] = await connection.command(
    `select min(routine_name), min(if(is_deterministic = 'NO', routine_name, null))
    from information_schema.routines
    where routine_schema = database() and routine_type = 'FUNCTION'
      and lower(regexp_replace(routine_name, '[^a-zA-Z0-9_]', '_')) in (${names.join(', ')})`,
  );
  if (typeof unsteady === 'string') return { refused: Texts.varyingCall(unsteady) };
  if (typeof call !== 'string' || connection.server.product !== 'mariadb') return NO_CALLS;
  return { unversioned: `it calls ${call}, which may be replaced without a new version` };
}

function tried<Answer>(ask: () => Promise<Answer>): Promise<Answer | Refused> {
  return Texts.tried(ask, RULES, (error) => (isOfStatement(error) ? error.message : undefined));
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
