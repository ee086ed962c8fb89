/** A type of elements, literals of arrays by their ids from 1 on, and filters with what they keep. */
export interface Elements {
  readonly type: string;
  readonly arrays: readonly string[];
  readonly cases: readonly HeldCase[];
}

type HeldCase = readonly [op: string, value: unknown, ...ids: number[]];

const has = (value: unknown, ...ids: number[]): HeldCase => ['has', value, ...ids];
const hasAny = (values: unknown, ...ids: number[]): HeldCase => ['has_any', values, ...ids];
const hasAll = (values: unknown, ...ids: number[]): HeldCase => ['has_all', values, ...ids];

const DATES = ['2026-01-31', 'infinity', '0044-03-15 BC'];

/** One of each kind of element, with the values that its casts would cut or refuse. */
export const ELEMENTS: readonly Elements[] = [
  {
    type: 'integer',
    arrays: ['{1,2}', '{1,NULL}', '{NULL}', '{}', '{{1,2},{3,4}}', '[5:6]={7,8}'],
    cases: [
      has(1, 1, 2, 5),
      has('4', 5),
      has(7, 6),
      has(2147483648),
      hasAny([2, 4, 99999999999], 1, 5),
      hasAll([1, 3], 5),
      hasAll([1, 99999999999]),
    ],
  },
  { type: 'smallint', arrays: ['{1}'], cases: [has(1, 1), has(-32769)] },
  { type: 'bigint', arrays: ['{9223372036854775807}'], cases: [has('9223372036854775807', 1)] },
  {
    type: 'numeric(6, 2)',
    arrays: ['{1.00,NaN}', '{1.01}'],
    cases: [has('1', 1), has('1.000', 1), has('1.005'), has('NaN', 1)],
  },
  { type: 'money', arrays: ['{1.50}'], cases: [has('1.5', 1), has('1.505')] },
  {
    type: 'real',
    arrays: ['{0.1,NaN}', '{16777216,-Infinity}', '{-0}'],
    cases: [
      has(0.1, 1),
      has(0.10000000149011612),
      has('NaN', 1),
      has('-Infinity', 2),
      has(16777217),
      has(1e300),
      has(1e-300),
      has(0, 3),
      hasAny([1e300, 0.1], 1),
    ],
  },
  { type: 'double precision', arrays: ['{0.1}', '{1e300}'], cases: [has(0.1, 1), has(1e300, 2)] },
  { type: 'boolean', arrays: ['{t,NULL}', '{f}'], cases: [has(true, 1), has(false, 2)] },
  {
    type: 'text',
    arrays: ['{red,Red}', '{"red "}', '{"a,b","{}","\\"","NULL"}'],
    cases: [
      has('red', 1),
      has('red ', 2),
      has('a,b', 3),
      has('{}', 3),
      has('"', 3),
      has('NULL', 3),
      has("'; drop table arrays; --"),
      hasAll(['red', 'Red'], 1),
    ],
  },
  {
    type: 'text collate any_case',
    arrays: ['{red}', '{RED}'],
    cases: [has('red', 1), hasAny(['Red']), hasAll(['RED'], 2)],
  },
  { type: 'citext', arrays: ['{red}', '{RED}'], cases: [has('red', 1), has('Red')] },
  { type: 'varchar(3)', arrays: ['{red}'], cases: [has('red', 1), has('reddish')] },
  { type: 'character(4)', arrays: ['{red}'], cases: [has('red', 1), has('red '), has('reddish')] },
  {
    type: 'name',
    arrays: [`{${'x'.repeat(63)}}`],
    cases: [has('x'.repeat(63), 1), has('x'.repeat(64))],
  },
  {
    type: '"char"',
    arrays: [String.raw`{a,"\\310"}`],
    cases: [has('a', 1), has('\\310', 1), has('ab')],
  },
  {
    type: '"Mo(1)od"',
    arrays: ['{sad}', '{ok,sad}'],
    cases: [has('sad', 1, 2), has('none'), hasAny(['none', 'ok'], 2), hasAll(['none', 'ok'])],
  },
  { type: 'words', arrays: ['{red}'], cases: [has('red', 1), has('blue')] },
  { type: 'moods', arrays: ['{sad}'], cases: [has('sad', 1), has('none')] },
  { type: 'small', arrays: ['{1}'], cases: [has(1, 1), has(70000)] },
  {
    type: 'uuid',
    arrays: ['{7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11}'],
    cases: [has('7C1D9A52-6F0E-4D6A-9A62-5F2F4C0E8B11', 1)],
  },
  { type: 'date', arrays: [`{${DATES.join()}}`], cases: DATES.map((date) => has(date, 1)) },
  { type: 'time', arrays: ['{24:00:00}'], cases: [has('24:00:00', 1)] },
  {
    type: 'timestamp(0)',
    arrays: ['{2026-01-31 10:00:00}'],
    cases: [has('2026-01-31T10:00:00', 1), has('2026-01-31T10:00:00.4')],
  },
  {
    type: 'timestamptz',
    arrays: ['{2026-01-31 10:00:00+02}'],
    cases: [has('2026-01-31T08:00:00Z', 1)],
  },
  {
    type: 'jsonb',
    arrays: [String.raw`{"\"red\"","1.0","{\"a\": 1}","null"}`],
    cases: [has('red', 1), has(1, 1), hasAll([1, 'red'], 1), has('a')],
  },
  {
    type: 'json',
    arrays: [String.raw`{"\"red\"","1.0","{\"a\": 1}","null"}`],
    cases: [has('red', 1), has(1, 1), hasAll([1, 'red'], 1), has('a')],
  },
  {
    type: 'interval day to second(0)',
    arrays: ['{30 days,02:00:00}'],
    cases: [has('1 mon', 1), has('PT2H', 1), has('02:00:00.4')],
  },
  { type: 'inet', arrays: ['{10.0.0.1}'], cases: [has('10.0.0.1/32', 1), has('10.0.0.1/24')] },
  { type: 'cidr', arrays: ['{10.0.0.0/8}'], cases: [has('10.0.0.0/8', 1), has('10.0.0.1/8')] },
  { type: 'point', arrays: ['{"(1,2)"}'], cases: [has('(1,2)', 1), has('(1, 2)'), has('x')] },
];
