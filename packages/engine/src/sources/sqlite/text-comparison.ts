import { type RawBuilder, sql } from 'kysely';

import type { TextMatch } from '../../sql/dialect.ts';
import { callFunction } from './call-function.ts';

type Expression = RawBuilder<unknown>;

export function textIsOneOf(column: Expression, values: readonly string[]): Expression {
  return sql`${column} collate binary in (${sql.join(values)})`;
}

export function textMatches(column: Expression, { value, at, ignoreCase }: TextMatch): Expression {
  const [text, part] = ignoreCase
    ? [callFunction('fold', column), callFunction('fold', sql`${value}`)]
    : [column, sql`${value}`];
  return TEXT_MATCHES[at](text, part);
}

/** LIKE would ignore the case of ASCII letters, and only of these. */
const TEXT_MATCHES: Record<TextMatch['at'], (text: Expression, part: Expression) => Expression> = {
  start: (text, part) => endIs(text, sql`substr(${bytes(text)}, 1, length(${bytes(part)}))`, part),
  end: (text, part) =>
    endIs(
      text,
      sql`substr(${bytes(text)}, length(${bytes(text)}) - length(${bytes(part)}) + 1)`,
      part,
    ),
  anywhere: (text, part) => sql`instr(${text}, ${part}) > 0`,
};

/** Of an empty blob substr() gives NULL. */
function endIs(text: Expression, end: Expression, part: Expression): Expression {
  return sql`case ${text} when '' then ${part} = '' else ${end} = ${bytes(part)} end`;
}

/** For length() a text ends with its first NUL. */
function bytes(text: Expression): Expression {
  return sql`cast(${text} as blob)`;
}
