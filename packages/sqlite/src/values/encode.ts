import { type Field, Moments, sqlBlock, type WireType } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { comparedDate, isDate, printedDate, type StoredDate } from './dates.ts';
import { callFunction } from './call-function.ts';

type Expression = RawBuilder<unknown>;

/** A value as an argument of `json_object`, by what it is. */
export function encode(value: Expression, { type, storedAs }: Field): Expression {
  if (storedAs !== undefined) return encodeDate(value, { type, storedAs });
  return ENCODERS[type]?.(value) ?? textForm(value);
}

/** The text of a value; where a value is not of the attribute's type, this is what travels. */
function textForm(value: Expression): Expression {
  return sqlBlock`
    case typeof(${value})
      when 'text' then ${value}
      when 'integer' then cast(${value} as text)
      when 'real' then ${callFunction('decimal', value)}
      when 'blob' then ${callFunction('base64', value)}
    end`;
}

/**
 * A value that is no date travels as its text. The most frequent forms come first, since SQLite
 * computes the compared form anew wherever a statement names it.
 */
function encodeDate(value: Expression, { type, storedAs }: StoredDate): Expression {
  const ofDate = (date: Expression): Expression => sql`${date}${zoneOf(type)}`;
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

function zoneOf(type: WireType): Expression {
  return type === 'timestamp_tz' ? sql` || 'Z'` : sql``;
}

/**
 * A decimal as its text. SQLite itself prints a real that is equal to one of 15 digits, which takes
 * half as long as a call of JavaScript: no two numbers of so few digits are the same real, so that
 * these are its shortest digits. Beyond the bounds it would print an exponent.
 */
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
  bytes: (value) =>
    sqlBlock`
      case when ${value} is not null
        then ${callFunction('base64', sql`cast(${value} as blob)`)}
      end`,
  // Each value by what it is; what no JSON number holds in every language is a text within.
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

/** A JSON number, unless it would lose digits: then the text form. */
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
