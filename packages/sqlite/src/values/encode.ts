import {
  type Expression,
  type Field,
  Moments,
  sqlBlock,
  type WireType,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { comparedDate, isDate, printedDate, type StoredDate } from './dates.ts';
import { callFunction } from './functions.ts';
import { hourText } from './zones.ts';

/** An argument of `json_object`, by what the value is. */
export function encode(value: Expression, { type, storedAs, zone }: Field): Expression {
  if (zone !== undefined) {
    const hour = hourText(value, zone);
    return sql`case when ${isDate(value)} then ${hour} else substr(${value}, 2) end`;
  }
  if (storedAs !== undefined) return encodeDate(value, { type, storedAs });
  return ENCODERS[type]?.(value) ?? textForm(value);
}

/** How a value travels that is not of the attribute's type. */
function textForm(value: Expression): Expression {
  return sqlBlock`
    case typeof(${value})
      when 'text' then ${value}
      when 'integer' then cast(${value} as text)
      when 'real' then ${callFunction('decimal', value)}
      when 'blob' then ${callFunction('base64', value)}
    end`;
}

/** Non-dates travel as text. Frequent forms come first: SQLite computes the form for each use. */
function encodeDate(value: Expression, { type, storedAs }: StoredDate): Expression {
  const zone = type === 'timestamp_tz' ? sql` || 'Z'` : sql``;
  const ofDate = (date: Expression): Expression => sql`${date}${zone}`;
  if (storedAs === 'compared')
    return sql`case when ${isDate(value)} then ${ofDate(value)} else substr(${value}, 2) end`;
  const printed = printedDate(value, Moments.dateForm(type));
  const date = comparedDate(value, { type, storedAs });
  return sqlBlock`
    case
      when ${printed.isPrinted} then ${ofDate(printed.date)}
      when ${isDate(date)} then ${ofDate(date)}
      else ${textForm(value)}
    end`;
}

/** SQLite prints reals of 15 digits exactly, in half the time. Others would get an exponent. */
function decimal(value: Expression): Expression {
  const printed = sql`printf('%.15g', ${value})`;
  return sqlBlock`
    case
      when typeof(${value}) = 'real' and abs(${value}) between 0.0001 and 999999999999999
        and cast(${printed} as real) = ${value} then ${printed}
      else ${textForm(value)}
    end`;
}

const ENCODERS: Partial<Record<WireType, (value: Expression) => Expression>> = {
  int32: number,
  float64: number,
  decimal,
  boolean: (value) =>
    sqlBlock`
      case ${value}
        when 0 then json('false')
        when 1 then json('true')
        else ${textForm(value)}
      end`,
  bytes: (value) => callFunction('base64', sql`cast(${value} as blob)`),
  // JSON numbers where every language reads them without loss, texts otherwise.
  any: (value) =>
    sqlBlock`
      case typeof(${value})
        when 'text' then ${value}
        when 'integer' then ${wholeNumber(value)}
        when 'real' then json(${callFunction('real', value)})
        when 'blob' then json_object('bytes', ${callFunction('base64', value)})
      end`,
  json: (value) =>
    sqlBlock`
      case
        when typeof(${value}) = 'text' and json_valid(${value}) then json(${value})
        when typeof(${value}) = 'integer' then json(cast(${value} as text))
        when typeof(${value}) = 'real' then json(${callFunction('number', value)})
        else ${textForm(value)}
      end`,
};

/** A JSON number, or the text form if it would lose digits. */
function number(value: Expression): Expression {
  return sqlBlock`
    case
      when typeof(${value}) = 'real' then json(${callFunction('number', value)})
      when typeof(${value}) = 'integer'
        and ${value} between -9007199254740991 and 9007199254740991 then ${value}
      else ${textForm(value)}
    end`;
}

function wholeNumber(value: Expression): Expression {
  return sqlBlock`
    case
      when ${value} between -9007199254740991 and 9007199254740991 then ${value}
      else json_object('number', cast(${value} as text))
    end`;
}
