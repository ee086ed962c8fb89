import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Attribute } from '../../../../catalogue/model.ts';
import type { Comparison, Condition } from '../../../../planning/condition.ts';
import { type ComparedColumn, type LoggedValue, RowCondition } from './row-condition.ts';

/** A column, and the type that its attribute has on the wire. */
interface Column extends ComparedColumn {
  readonly wireType: Attribute['type'];
}

const column = (name: string, type: string, wireType: Attribute['type']): Column => ({
  name,
  type,
  wireType,
  isEnum: wireType === 'enum',
});

const COLUMNS = {
  whole: column('whole', 'bigint', 'int64'),
  truth: column('truth', 'boolean', 'boolean'),
  id: column('id', 'uuid', 'uuid'),
  blob: column('blob', 'bytea', 'bytes'),
  day: column('day', 'date', 'date'),
  moment: column('moment', 'timestamp(3) without time zone', 'timestamp'),
  instant: column('instant', 'timestamp with time zone', 'timestamp_tz'),
  note: column('note', 'character varying(40)', 'text'),
  mood: column('mood', '', 'enum'),
  amount: column('amount', 'numeric', 'decimal'),
  place: column('place', 'point', 'other'),
};

type Name = keyof typeof COLUMNS;

function compare(name: Name, op: Comparison['op'], ...values: Comparison['values']): Condition {
  const { type, wireType } = COLUMNS[name];
  const attribute = { name, column: name, type: wireType, databaseType: type } as Attribute;
  return { attribute, op, values };
}

function conditionOf(
  condition: Condition,
  columns: readonly ComparedColumn[] = Object.values(COLUMNS),
): RowCondition | undefined {
  return RowCondition.of(condition, { columns, isUnicode: true });
}

/** Whether a row meets a condition that can be decided. */
function isMet(condition: Condition, row: Partial<Record<Name, LoggedValue>>): boolean | undefined {
  const decided = conditionOf(condition);
  if (decided === undefined) throw new Error('The condition cannot be decided.');
  return decided.isMet((place) => row[decided.columns[place] as Name]);
}

type Value = string | number | bigint | boolean;

/** What each operator says of a value, where `<` and `===` compare. */
const MEANINGS: Partial<
  Record<Comparison['op'], (value: Value, operands: readonly Value[]) => boolean>
> = {
  eq: (value, [other]) => value === other,
  ne: (value, [other]) => value !== other,
  in: (value, others) => others.includes(value),
  not_in: (value, others) => !others.includes(value),
  is_distinct: (value, [other]) => value !== other,
  lt: (value, [other = value]) => value < other,
  lte: (value, [other = value]) => value <= other,
  gt: (value, [other = value]) => value > other,
  gte: (value, [other = value]) => value >= other,
  between: (value, [from = value, to = value]) => from <= value && value <= to,
};

const ORDERED = ['lt', 'lte', 'gt', 'gte', 'between'] as const;
const UNORDERED = ['eq', 'ne', 'in', 'not_in', 'is_distinct'] as const;

/** Operators of more than one value. */
const SEVERAL: ReadonlySet<string> = new Set(['in', 'not_in', 'between']);

/** Values for which an operator finds something else than it means; null where there are none. */
function mistakeOf<Compared extends Value>(
  name: Name,
  value: fc.Arbitrary<Compared>,
  forms: {
    readonly logged: (value: Compared) => string;
    readonly sent: (value: Compared) => Value;
  },
  operators: readonly Comparison['op'][] = [...ORDERED, ...UNORDERED],
): readonly unknown[] | null {
  const isRight = fc.property(
    fc.constantFrom(...operators),
    fc.tuple(value, value, value),
    (op, [one, first, second]) => {
      const operands = SEVERAL.has(op) ? [first, second] : [first];
      const condition = compare(name, op, ...operands.map(forms.sent));
      return isMet(condition, { [name]: forms.logged(one) }) === MEANINGS[op]?.(one, operands);
    },
  );
  return fc.check(isRight, { numRuns: 300 }).counterexample;
}

const WHOLE = fc.oneof(
  fc.bigInt({ min: -3n, max: 3n }),
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);

/** Milliseconds: few of them, and from the year 1 to 9999. */
const MOMENT = fc.oneof(
  fc.integer({ min: 0, max: 3 }).map((second) => second * 500),
  fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
);

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/** As the database prints a moment without its zone. */
const printed = (milliseconds: number) =>
  iso(milliseconds)
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '');

const BYTES = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

const TEXT = fc.constantFrom('', 'a', 'A', 'ä', 'ab', ' a', 'NULL', '\u{1F600}');

describe('a condition on rows', () => {
  it('compares whole numbers exactly', () => {
    const forms = { logged: String, sent: (value: bigint) => value };
    expect(mistakeOf('whole', WHOLE, forms)).toBeNull();
  });

  it('compares booleans, of which the log has the first letter', () => {
    const forms = { logged: (value: boolean) => (value ? 't' : 'f'), sent: Boolean };
    expect(mistakeOf('truth', fc.boolean(), forms)).toBeNull();
  });

  it('compares moments by when they are, whatever zeros they are sent with', () => {
    const plain = { logged: printed, sent: (at: number) => iso(at).slice(0, -1) };
    expect(mistakeOf('moment', MOMENT, plain)).toBeNull();
    const long = { logged: printed, sent: (at: number) => iso(at).replace('Z', '000') };
    expect(mistakeOf('moment', MOMENT, long)).toBeNull();
    const short = { logged: printed, sent: (at: number) => iso(at).replace(/\.?0*Z$/, '') };
    expect(mistakeOf('moment', MOMENT, short)).toBeNull();
    const instants = { logged: (at: number) => `${printed(at)}+00`, sent: iso };
    expect(mistakeOf('instant', MOMENT, instants)).toBeNull();
  });

  it('compares days and infinities', () => {
    const day = fc.constantFrom('0001-01-01', '2024-02-29', '2024-03-01', '9999-12-31');
    const forms = { logged: String, sent: String };
    expect(mistakeOf('day', day, forms)).toBeNull();
    const row = { day: 'infinity', moment: 'infinity', instant: '-infinity' };
    expect(isMet(compare('day', 'gt', '9999-12-31'), row)).toBe(true);
    expect(isMet(compare('moment', 'eq', 'infinity'), row)).toBe(true);
    expect(isMet(compare('instant', 'lt', '0001-01-01T00:00:00Z'), row)).toBe(true);
  });

  it('compares bytes, which are sent in base64, and uuids in letters of either case', () => {
    const bytes = {
      logged: (hex: string) => String.raw`\x${hex}`,
      sent: (hex: string) => Buffer.from(hex, 'hex').toString('base64'),
    };
    const few = fc.oneof(fc.constantFrom('', '00', 'ff', '00ff'), BYTES);
    expect(mistakeOf('blob', few, bytes)).toBeNull();
    const ids = {
      logged: (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      sent: (hex: string) => ids.logged(hex).toUpperCase(),
    };
    expect(mistakeOf('id', BYTES, ids)).toBeNull();
    const same = 'abcdef00-0000-0000-0000-000000000000';
    expect(isMet(compare('id', 'eq', same.toUpperCase()), { id: same })).toBe(true);
  });

  it('compares texts and values of enumerations for being equal alone', () => {
    const forms = { logged: String, sent: String };
    for (const name of ['note', 'mood'] as const) {
      expect(mistakeOf(name, TEXT, forms, UNORDERED)).toBeNull();
      for (const op of ORDERED) expect(conditionOf(compare(name, op, 'a', 'b'))).toBeUndefined();
    }
  });

  it.each(UNORDERED)('has no %s of texts that are not kept in UTF-8', (op) => {
    for (const name of ['note', 'mood'] as const) {
      const relation = { columns: Object.values(COLUMNS), isUnicode: false };
      expect(RowCondition.of(compare(name, op, 'a'), relation)).toBeUndefined();
    }
  });

  it('does not tell of a character that also stands for bytes that are no text', () => {
    const unknown = 'a\u{FFFD}';
    expect(isMet(compare('note', 'eq', 'a'), { note: unknown })).toBeUndefined();
    expect(conditionOf(compare('note', 'eq', unknown))).toBeUndefined();
    expect(conditionOf(compare('note', 'in', 'a', unknown))).toBeUndefined();
  });

  it.each([...ORDERED, ...UNORDERED])(
    'does not tell of %s where the value is unknown, or in another form',
    (op) => {
      const condition = compare('whole', op, 7n, 8n);
      for (const whole of [undefined, 'seven'])
        expect([isMet(condition, { whole }), isMet({ not: condition }, { whole })]).toEqual([
          undefined,
          undefined,
        ]);
    },
  );

  it('does not tell of a text that the log leaves out', () => {
    expect(isMet(compare('note', 'eq', 'a'), { note: undefined })).toBeUndefined();
  });

  it.each([...ORDERED, 'eq', 'ne', 'in', 'not_in'] as const)(
    'is not met, nor is its opposite, where %s compares with NULL',
    (op) => {
      const condition = compare('whole', op, 7n, 8n);
      expect(isMet(condition, { whole: null })).toBe(false);
      expect(isMet({ not: condition }, { whole: null })).toBe(false);
    },
  );

  it('finds NULL distinct from every value but NULL', () => {
    const values = [null, '7', '8', undefined];
    const distinct = (from: bigint | null) =>
      values.map((whole) => isMet(compare('whole', 'is_distinct', from), { whole }));
    expect(distinct(7n)).toEqual([true, false, true, undefined]);
    expect(distinct(null)).toEqual([false, true, true, undefined]);
  });

  it('decides whether a value of any type is NULL, unless a part of it may be', () => {
    for (const name of ['whole', 'note', 'mood', 'amount'] as const) {
      const values = [null, '', 'x', undefined];
      const found = [true, false].map((isNull) =>
        values.map((value) => isMet(compare(name, 'is_null', isNull), { [name]: value })),
      );
      expect(found).toEqual([
        [true, false, false, undefined],
        [false, true, true, undefined],
      ]);
    }
    expect(conditionOf(compare('place', 'is_null', true))).toBeUndefined();
  });

  it.each<[string, Condition]>([
    ['a value of the filter has a form of its own', compare('whole', 'eq', 'x')],
    ['one of the values has', compare('whole', 'in', 7n, 'x')],
    ['there is no value', compare('whole', 'in')],
    ['a value is NULL', compare('whole', 'lt', null)],
    ['the first value is NULL', compare('whole', 'between', null, 7n)],
    ['the last value is NULL', compare('whole', 'between', 7n, null)],
    ['values of a type are not compared', compare('amount', 'eq', '7.5')],
    ['an operator looks into a text', compare('note', 'contains', 'a')],
    ['a year is before 1', compare('day', 'lt', '0044-03-15 BC')],
    ['a moment is in a year before 1', compare('moment', 'lt', '0044-03-15T00:00:00 BC')],
    ['an instant is in a year before 1', compare('instant', 'lt', '0044-03-15T00:00:00Z BC')],
  ])('cannot be decided where %s', (_, condition) => {
    const whole = compare('whole', 'eq', 7n);
    expect(conditionOf(whole)).toBeDefined();
    const others = [{ not: condition }, { and: [whole, condition] }, { or: [condition, whole] }];
    for (const each of [condition, ...others]) expect(conditionOf(each)).toBeUndefined();
  });

  it('cannot be decided of a column that is not there, or is of another type by now', () => {
    const { whole, mood } = COLUMNS;
    const equals = compare('whole', 'eq', 7n);
    expect(conditionOf(equals, [whole])).toBeDefined();
    expect(conditionOf(equals, [mood])).toBeUndefined();
    expect(conditionOf(equals, [{ ...whole, type: 'integer' }])).toBeUndefined();
    expect(conditionOf(equals, [{ ...whole, isEnum: true }])).toBeUndefined();
    expect(conditionOf(compare('whole', 'is_null', true), [{ ...whole, type: 'text' }])).toBe(
      undefined,
    );
    const isGlad = compare('mood', 'eq', 'glad');
    expect(conditionOf(isGlad, [mood])).toBeDefined();
    expect(conditionOf(isGlad, [{ ...mood, isEnum: false, type: 'text' }])).toBeUndefined();
  });

  it('looks at each of its columns once', () => {
    const parts = [compare('whole', 'gt', 1n), compare('day', 'is_null', false)];
    const condition = { and: [...parts, { or: [compare('whole', 'lt', 9n), ...parts] }] };
    expect(conditionOf(condition)?.columns).toEqual(['whole', 'day']);
    expect(isMet(condition, { whole: '5', day: '2024-01-01' })).toBe(true);
    expect(isMet(condition, { whole: '1', day: '2024-01-01' })).toBe(false);
  });
});

/** True, false, NULL; undefined where it is unknown. */
type Truth = boolean | null | undefined;

/** A formula of parts that have these truths. */
type Formula =
  | { readonly leaf: Truth }
  | { readonly op: 'and' | 'or'; readonly parts: readonly Formula[] }
  | { readonly not: Formula };

const { formula: FORMULA } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Truth>(true, false, null, undefined).map((leaf) => ({ leaf })),
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('formula'), { minLength: 1, maxLength: 4 }),
    }),
    tie('formula').map((not) => ({ not })),
  ),
}));

/** SQL's truth tables: what decides comes first, then what is unknown, then NULL. */
function truthOf(formula: Formula): Truth {
  if ('leaf' in formula) return formula.leaf;
  if ('not' in formula) {
    const truth = truthOf(formula.not);
    return typeof truth === 'boolean' ? !truth : truth;
  }
  const found = new Set(formula.parts.map(truthOf));
  const ranks: readonly Truth[] = [formula.op === 'or', undefined, null, formula.op === 'and'];
  return ranks.find((truth) => found.has(truth));
}

it('a condition of several parts is met as the truth tables of SQL say', () => {
  const texts = new Map<Truth, LoggedValue>([
    [true, '7'],
    [false, '8'],
    [null, null],
    [undefined, undefined],
  ]);
  fc.assert(
    fc.property(FORMULA, (formula) => {
      const columns: ComparedColumn[] = [];
      const row: LoggedValue[] = [];
      const build = (part: Formula): Condition => {
        if ('not' in part) return { not: build(part.not) };
        if ('parts' in part) {
          const parts = part.parts.map(build);
          return part.op === 'and' ? { and: parts } : { or: parts };
        }
        const name = `c${row.length}`;
        columns.push(column(name, 'integer', 'int32'));
        row.push(texts.get(part.leaf));
        const attribute = { column: name, type: 'int32', databaseType: 'integer' } as Attribute;
        return { attribute, op: 'eq', values: [7n] };
      };
      const decided = conditionOf(build(formula), columns);
      const truth = truthOf(formula);
      const expected = truth === undefined ? undefined : truth === true;
      expect(decided?.isMet((place) => row[place])).toBe(expected);
      expect(decided?.columns).toEqual(columns.map(({ name }) => name));
    }),
    { numRuns: 1000 },
  );
});
