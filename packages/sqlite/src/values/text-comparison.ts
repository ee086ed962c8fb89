import { type Clauses, type Expression, sqlBlock } from '@proj/engine/database';
import { sql } from 'kysely';

import { callFunction, hasNul } from './functions.ts';
import { textOperandsOf } from './operands.ts';

export function textIsOneOf(column: Expression, values: readonly string[]): Expression {
  const operands = values.flatMap(textOperandsOf);
  return sql`${column} collate binary in (${sql.join(operands)})`;
}

export function textMatches(
  column: Expression,
  { value, at, ignoreCase }: Clauses['textMatch'],
): Expression {
  const [text, part] = ignoreCase
    ? [folded(column), folded(sql`${value}`)]
    : [column, sql`${value}`];
  return TEXT_MATCHES[at](text, part);
}

/** Non-texts have no case, and match nothing. */
function folded(value: Expression): Expression {
  const whole = sqlBlock`
    case
      when ${hasNul(value)} then ${bytes(value)}
      when typeof(${value}) = 'text' then ${value}
    end`;
  return callFunction('fold', whole);
}

/** LIKE would ignore the case of ASCII letters, and only of these. */
const TEXT_MATCHES: Record<
  Clauses['textMatch']['at'],
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
  whole: (text, part) => sql`${text} = ${part}`,
};

/** substr() of an empty blob is NULL. */
function endIs(text: Expression, end: Expression, part: Expression): Expression {
  return sql`case ${text} when '' then ${part} = '' else ${end} = ${bytes(part)} end`;
}

/** For length() a text ends with its first NUL. */
function bytes(text: Expression): Expression {
  return sql`cast(${text} as blob)`;
}
