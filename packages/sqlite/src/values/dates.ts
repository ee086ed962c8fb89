import {
  type Expression,
  type Field,
  Moments,
  sqlBlock,
  type WireType,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { NO_DATE } from './date-form.ts';
import { callFunction, hasNul } from './functions.ts';

export interface StoredDate {
  readonly type: WireType;
  readonly storedAs: NonNullable<Field['storedAs']>;
}

/**
 * The form in which dates are compared; NULL for NULL. For forms that SQLite prints, and those with
 * a `T` or a `Z`, its own functions take a third of the time:
 *
 *     case
 *       when datetime("t"."at") || case length("t"."at") when 20 then 'Z' else '' end
 *         is replace("t"."at", 'T', ' ') and length("t"."at") in (19, 20)
 *         and substr("t"."at", 12, 2) < '24' then substr(replace("t"."at", ' ', 'T'), 1, 19)
 *       when typeof("t"."at") = 'text' and instr("t"."at", char(0)) > 0 then '~' || "t"."at"
 *       else dynamic_query_timestamp_of_text("t"."at")
 *     end
 */
export function comparedDate(value: Expression, { type, storedAs }: StoredDate): Expression {
  if (storedAs === 'compared') return value;
  const form = Moments.dateForm(type);
  const { isPrinted, date } = printedDate(value, form);
  return sqlBlock`
    case
      when ${isPrinted} then ${date}
      when ${hasNul(value)} then ${sql.lit(NO_DATE)} || ${value}
      else ${callFunction(`${form}_of_${storedAs}`, value)}
    end`;
}

export interface PrintedDate {
  readonly isPrinted: Expression;
  readonly date: Expression;
}

/** SQLite also knows years before 0, whose texts are longer, and the hour 24. */
export function printedDate(value: Expression, form: Moments.DateForm): PrintedDate {
  if (form === 'date')
    return { isPrinted: sql`date(${value}) is ${value} and length(${value}) = 10`, date: value };
  const zone = sql`case length(${value}) when 20 then 'Z' else '' end`;
  const isPrinted = sqlBlock`
    datetime(${value}) || ${zone} is replace(${value}, 'T', ' ')
    and length(${value}) in (19, 20) and substr(${value}, 12, 2) < '24'`;
  return { isPrinted, date: sql`substr(replace(${value}, ' ', 'T'), 1, 19)` };
}

export function isDate(form: Expression): Expression {
  return sql`${form} < ':'`;
}
