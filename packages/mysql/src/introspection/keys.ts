import {
  type Dialect,
  type Expression,
  type Field,
  OFFSET,
  Reads,
  sqlBlock,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { castTo, inCharset } from '../values/operands.ts';

/** How values of some types are read as keys and compared with their column. */
interface KeyForm {
  readonly types: RegExp;
  /** Default: as a text. */
  readonly column?: (column: Expression) => Expression;
  readonly operand: (value: Expression, databaseType: string) => Expression;
}

const asText = (column: Expression): Expression => sql`cast(${column} as char)`;

function textCastTo(type: string): KeyForm['operand'] {
  return (value) => castTo(value, type);
}

/** `max_sort_length` takes 8192 bytes, and some collations have 24 a character. */
const LONGEST_TEXT = 255;

/** A temporary table in memory reserves the longest value of a column. */
const BYTES_OF_CHARACTER = 4;

const VALUE_BYTES = 32;

const TEXT = /^(?:var)?char\((\d+)\)(?: collate (?:utf8mb3|latin1|ascii)_\w+)?$/;

const FORMS: readonly KeyForm[] = [
  { types: /^(tiny|small|medium|big)?int\b.*\bunsigned\b/, operand: textCastTo('unsigned') },
  { types: /^(tiny|small|medium|big)?int\b/, operand: textCastTo('signed') },
  {
    types: /^decimal\(\d+,\d+\)/,
    operand: (value, type) => castTo(value, /^decimal\(\d+,\d+\)/.exec(type)?.[0] ?? ''),
  },
  // Parameters are doubles, and every float is one.
  { types: /^(float|double)\b/, column: (column) => column, operand: (value) => value },
  { types: /^date$/, operand: textCastTo('date') },
  { types: /^time\b(?!stamp)/, operand: textCastTo('time(6)') },
  { types: /^(datetime|timestamp)\b/, operand: textCastTo('datetime(6)') },
  { types: /^uuid$/, operand: textCastTo('uuid') },
  // Enums sort by the numbers of their labels.
  {
    types: /^enum\(/,
    column: (column) => asText(sql`${column} + 0`),
    operand: textCastTo('unsigned'),
  },
  {
    types: /^(var)?binary\(\d+\)$/,
    column: (column) => sql`hex(${column})`,
    operand: (value) => sql`unhex(${value})`,
  },
  {
    types: TEXT,
    column: (column) => column,
    operand: (value, databaseType) => inCharset(value, { databaseType }),
  },
];

/** Undefined where a value may not come back unchanged, or sorts differently than it compares. */
function formOf({ databaseType }: Field): KeyForm | undefined {
  const [, length] = TEXT.exec(databaseType) ?? [];
  if (Number(length ?? 0) > LONGEST_TEXT) return undefined;
  return FORMS.find(({ types }) => types.test(databaseType));
}

export const mysqlKeys: NonNullable<Dialect['keys']> = {
  isPossible: (field) => formOf(field) !== undefined,
  bytesOf: ({ databaseType }) => {
    const [, longest = 0] = /^(?:var)?(?:char|binary)\((\d+)\)/.exec(databaseType) ?? [];
    return BYTES_OF_CHARACTER * Number(longest) + VALUE_BYTES;
  },
  column: (column, field) => (formOf(field)?.column ?? asText)(column),
  operand: (placeholder, field) => {
    const value = sql`${placeholder}`;
    return formOf(field)?.operand(value, field.databaseType) ?? value;
  },
  // An index serves no comparison of rows.
  comparesRows: false,
  ordersNull: false,
  select: ({ rows, keys, order, step }) => {
    // Without its own order, a window numbers rows in any order.
    const numbered = Reads.numberedRows(rows, sql`(order by ${order})`);
    return sqlBlock`
      select ${sql.join(keys)}, ${sql.id('n')}
      from (${numbered}) as ${sql.id('p')}
      where ${sql.id('n')} % ${sql.lit(step)} = cast(${OFFSET} as signed) or ${sql.id('last')}
      order by ${sql.id('n')}`;
  },
};
