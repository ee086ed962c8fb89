import { demand, demandEqual, given, NotTried } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';

/** How a value of each wire type looks in JSON. A type that is missing here may be anything. */
const FORMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: isString,
  uuid: isString,
  enum: isString,
  other: isString,
  int32: (value) => Number.isInteger(value),
  int64: matching(/^-?(?:0|[1-9]\d*)$/),
  decimal: matching(/^(?:-?\d+(?:\.\d+)?|NaN|-?Infinity)$/),
  float64: (value) => typeof value === 'number' || matching(/^(?:NaN|-?Infinity)$/)(value),
  boolean: (value) => typeof value === 'boolean',
  date: matching(/^[+-]?\d{4,}-\d\d-\d\d$|^-?infinity$/i),
  time: matching(/^-?\d{2,}:\d\d:\d\d(?:\.\d+)?$/),
  timestamp: matching(/^[+-]?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$|^-?infinity$/i),
  timestamp_tz: matching(/^[+-]?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$|^-?infinity$/i),
  bytes: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  array: (value) => Array.isArray(value),
  any: isAny,
};

function isAny(value: unknown): boolean {
  if (typeof value === 'number' || isString(value)) return true;
  const members = Object.entries(value ?? {});
  const isForm = ([name, text]: [string, unknown]): boolean =>
    ['number', 'bytes'].includes(name) && isString(text);
  return members.length === 1 && members.every(isForm);
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function matching(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

export const RECORD_RULES = [
  ...rulesOf('the-reply', {
    'member-order': {
      sentence: 'The members of a record are in the order of query_attributes.',
      check: async (subject) => {
        // JavaScript moves names that look like numbers to the front of any object.
        const names = subject.selection.attributes.filter((name) => !/^\d+$/.test(name));
        if (names.length < 2) throw new NotTried('the model has only one attribute');
        for (const order of [names, names.toReversed()]) {
          const { result } = await subject.first(1, { query_attributes: order });
          demandEqual(Object.keys(given(result[0], 'the model has no records')), order, 'members');
        }
      },
    },
    'all-members': {
      sentence: 'Every record has every requested attribute and no other; SQL NULL is null.',
      check: async (subject) => {
        const expected = subject.selection.attributes.toSorted();
        for (const record of await subject.sample())
          demandEqual(Object.keys(record).toSorted(), expected, 'members of a record');
      },
    },
  }),
  ...rulesOf('values', {
    'lossless-types': {
      sentence:
        "Every value has the JSON form of its attribute's type: " +
        'whole numbers of 64 bits and decimals are strings.',
      check: async (subject) => {
        const attributes = subject.attributes(() => true);
        for (const record of await subject.sample()) {
          for (const { name, type, misfits } of attributes) {
            const value = record[name];
            const isMisfit = misfits !== undefined && isString(value);
            const fits = value === null || value === undefined || (FORMS[type]?.(value) ?? true);
            demand(fits || isMisfit, `${name} is of type ${type}; got ${JSON.stringify(value)}`);
          }
        }
      },
    },
  }),
];
