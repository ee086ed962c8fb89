import type { WireType } from '@proj/contract';
import { type RawBuilder, sql } from 'kysely';

import type { StoredAs } from '../../catalogue/stored-as.ts';
import { sqlBlock } from '../sql-block.ts';
import { type DateForm, NO_DATE } from './date-form.ts';
import { comparedFormName } from './functions.ts';
import { hasNul } from './nul.ts';

type Expression = RawBuilder<unknown>;

/** The type of an attribute that shows dates, and how they are stored. */
export interface StoredDate {
  readonly type: WireType;
  readonly storedAs: StoredAs;
}

export function dateForm(type: WireType): DateForm {
  return type === 'date' ? 'date' : 'timestamp';
}

/**
 * The form in which dates are compared; NULL for NULL. SQLite's own functions find it for the form
 * that they themselves print, in a third of the time:
 *
 *     case
 *       when datetime("t"."at") is "t"."at" and length("t"."at") = 19
 *         and substr("t"."at", 12, 2) < '24' then replace("t"."at", ' ', 'T')
 *       when typeof("t"."at") = 'text' and instr("t"."at", char(0)) > 0 then '~' || "t"."at"
 *       else dynamic_query_timestamp_of_text("t"."at")
 *     end
 */
export function comparedDate(value: Expression, { type, storedAs }: StoredDate): Expression {
  const form = dateForm(type);
  const computed = sql`${sql.raw(comparedFormName(form, storedAs))}(${value})`;
  const others = sql`when ${hasNul(value)} then ${sql.lit(NO_DATE)} || ${value} else ${computed}`;
  // Those functions know years before 0, whose texts are longer, and the hour 24.
  if (form === 'date')
    return sqlBlock`
      case
        when date(${value}) is ${value} and length(${value}) = 10 then ${value}
        ${others}
      end`;
  const isMoment = sql`length(${value}) = 19 and substr(${value}, 12, 2) < '24'`;
  return sqlBlock`
    case
      when datetime(${value}) is ${value} and ${isMoment} then replace(${value}, ' ', 'T')
      ${others}
    end`;
}

/** Whether the form is that of a date. */
export function isDate(form: Expression): Expression {
  return sql`${form} < ':'`;
}
