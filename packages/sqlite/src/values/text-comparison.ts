import type { Clauses, Expression, Field } from '@proj/engine/database';
import { sql } from 'kysely';

import { callFunction, hasNul } from './functions.ts';
import { affinityOf } from './joins.ts';
import { textOperandsOf } from './operands.ts';

export function textIsOneOf(column: Expression, values: readonly string[]): Expression {
  const operands = values.flatMap(textOperandsOf);
  return sql`${column} collate binary in (${sql.join(operands)})`;
}

export function textMatches(
  column: Expression,
  { value, at, ignoreCase }: Clauses['textMatch'],
  { databaseType }: Pick<Field, 'databaseType'>,
): Expression {
  if (at === 'whole') return equalsInAnyCase(column, value);
  const seen = ignoreCase ? folded : (text: Expression): Expression => text;
  const found = TEXT_MATCHES[at](seen(column), seen(sql`${value}`));
  const isText = !ignoreCase && at === 'start' && affinityOf(databaseType) === 'text';
  const range = isText ? beginsLike(column, value) : undefined;
  if (range !== undefined) return sql`(${range} and ${found})`;
  // Bytes hold no text, whatever they would read as.
  return sql`case typeof(${column}) when 'blob' then false else ${found} end`;
}

/** Served by an index. Up to an ASCII character, whose successor comes next in any encoding. */
function beginsLike(column: Expression, value: string): Expression | undefined {
  const [begin = ''] = /^[^]*[\0-~]/.exec(value) ?? [];
  if (begin === '') return undefined;
  const next = String.fromCharCode(begin.charCodeAt(begin.length - 1) + 1);
  const text = sql`${column} collate binary`;
  return sql`${text} >= ${begin} and ${text} < ${begin.slice(0, -1) + next}`;
}

/** Texts that differ in case, and what `eq` finds. Served by an index under `nocase`. */
function equalsInAnyCase(column: Expression, value: string): Expression {
  const others = sql`${column} collate binary in (${sql.join(textOperandsOf(value))})`;
  const same = sql`case typeof(${column}) when 'text'
    then ${folded(column)} = ${folded(sql`${value}`)} else ${others} end`;
  const alike = alikeInAscii(value);
  if (alike === undefined) return same;
  const operands = [...alike.map((text) => sql`${text}`), ...textOperandsOf(value).slice(1)];
  return sql`(${column} collate nocase in (${sql.join(operands)}) and ${same})`;
}

/** What `nocase`, which knows ASCII only, has to find. Only the sign of Kelvin folds to ASCII. */
function alikeInAscii(value: string): readonly string[] | undefined {
  const parts = value.split(/k/i);
  if (parts.length > 3 || !/^\p{ASCII}*$/u.test(value)) return undefined;
  return parts.reduce<readonly string[]>(
    (begins, part, index) =>
      (index === 0 ? [''] : ['k', '\u212a']).flatMap((k) =>
        begins.map((begin) => begin + k + part),
      ),
    [''],
  );
}

function folded(value: Expression): Expression {
  const whole = callFunction('foldQuoted', sql`json_quote(${value})`);
  return sql`case when ${hasNul(value)} then ${whole} else ${callFunction('fold', value)} end`;
}

/** LIKE would ignore the case of ASCII letters, and only of these. */
const TEXT_MATCHES: Record<
  Exclude<Clauses['textMatch']['at'], 'whole'>,
  (text: Expression, part: Expression) => Expression
> = {
  start: (text, part) => endIs(text, sql`substr(${bytes(text)}, 1, length(${bytes(part)}))`, part),
  end: (text, part) =>
    endIs(
      text,
      sql`substr(${bytes(text)}, length(${bytes(text)}) - length(${bytes(part)}) + 1)`,
      part,
    ),
  anywhere: (text, part) => sql`instr(${text}, ${part}) > 0`,
};

/** substr() of an empty blob is NULL. */
function endIs(text: Expression, end: Expression, part: Expression): Expression {
  return sql`case ${text} when '' then ${part} = '' else ${end} = ${bytes(part)} end`;
}

/** For length() a text ends with its first NUL. */
function bytes(text: Expression): Expression {
  return sql`cast(${text} as blob)`;
}
