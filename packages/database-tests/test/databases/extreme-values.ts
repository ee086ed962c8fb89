import type { WireType } from '@proj/contract';

/** A column with values at the edges of what its type holds. */
export interface ExtremeColumn {
  /** The type of the column in SQL. */
  readonly declared: string;
  /** The wire type that the settings give it, where the column does not say. */
  readonly type?: WireType;
  /** Literals in SQL, in ascending order. */
  readonly literals: readonly string[];
}

const quoted = (...texts: string[]): string[] => texts.map((text) => `'${text}'`);

const MOST_INT64 = '9223372036854775807';
const LEAST_INT64 = '-9223372036854775808';

const SQLITE: readonly ExtremeColumn[] = [
  { declared: 'real', literals: ['-9e999', '-1.5', '0', '1e300', '9e999'] },
  {
    declared: 'integer',
    literals: [
      '-9e999',
      '-1e300',
      LEAST_INT64,
      '-0.5',
      '0',
      '0.1',
      '9007199254740993',
      MOST_INT64,
      '18446744073709551616',
      '1e300',
      '9e999',
    ],
  },
  {
    declared: 'integer',
    type: 'int32',
    literals: ['-9e999', '-1e20', '-1', '0.5', '1', '18446744073709551616'],
  },
  {
    declared: 'decimal(10, 2)',
    literals: ['-9e999', '-1e30', '-0.01', '0.1', MOST_INT64, '18446744073709551616', '9e999'],
  },
  {
    declared: 'real',
    literals: [
      '-9e999',
      '-1.7976931348623157e308',
      '0',
      '5e-324',
      '1.7976931348623157e308',
      '9e999',
    ],
  },
  { declared: 'boolean', literals: ['-1', '0', '0.5', '1', '2', '9e999'] },
  {
    declared: 'text',
    literals: [`''`, 'char(0)', `'a'`, `'a' || char(0)`, `'a' || char(0) || 'b'`, `'ab'`],
  },
];

const POSTGRESQL: readonly ExtremeColumn[] = [
  { declared: 'bigint', literals: [`'${LEAST_INT64}'`, '-1', '0', MOST_INT64] },
  {
    declared: 'numeric',
    literals: [
      ...quoted('-Infinity', '-1e200', '-1e-100'),
      '0',
      ...quoted(
        '1e-16383',
        '1.00000000000000000000000000000000000000001',
        '1e2000',
        'Infinity',
        'NaN',
      ),
    ],
  },
  { declared: 'money', literals: quoted('-92233720368547758.08', '0', '92233720368547758.07') },
  {
    declared: 'double precision',
    literals: quoted(
      '-Infinity',
      '-1.7976931348623157e308',
      '-5e-324',
      '0',
      '1e23',
      '1.7976931348623157e308',
      'Infinity',
      'NaN',
    ),
  },
  {
    declared: 'real',
    literals: quoted(
      '-Infinity',
      '-3.4028235e38',
      '1e-45',
      '0.1',
      '3.4028235e38',
      'Infinity',
      'NaN',
    ),
  },
  {
    declared: 'date',
    literals: quoted(
      '-infinity',
      '4714-11-24 BC',
      '0044-03-15 BC',
      '0005-02-29 BC',
      '0001-12-31 BC',
      '0001-01-01',
      '9999-12-31',
      '10000-01-01',
      '5874897-12-31',
      'infinity',
    ),
  },
  { declared: 'time', literals: quoted('00:00:00', '23:59:59.999999', '24:00:00') },
  {
    declared: 'timestamp',
    literals: quoted(
      '-infinity',
      '4714-11-24 00:00:00 BC',
      '0044-03-15 12:00:00.5 BC',
      '0001-01-01 00:00:00',
      '9999-12-31 23:59:59.999999',
      '10000-02-29 00:00:00',
      '294276-12-31 23:59:59.999999',
      'infinity',
    ),
  },
  {
    declared: 'timestamptz',
    literals: quoted(
      '-infinity',
      '4714-11-24 00:00:00+00 BC',
      '0044-03-15 12:00:00.5+00 BC',
      '0001-01-01 00:00:00+00',
      '9999-12-31 23:59:59.999999+00',
      '10000-01-01 00:00:00+00',
      '294276-12-31 23:59:59.999999+00',
      'infinity',
    ),
  },
];

const MARIADB: readonly ExtremeColumn[] = [
  { declared: 'bigint', literals: [LEAST_INT64, '-1', '0', MOST_INT64] },
  {
    declared: 'bigint unsigned',
    literals: ['0', MOST_INT64, '9223372036854775808', '18446744073709551615'],
  },
  { declared: 'boolean', literals: ['-128', '0', '1', '2', '127'] },
  { declared: 'year', literals: ['0', '1901', '1970', '2155'] },
  { declared: 'decimal(65, 0)', literals: [`-${'9'.repeat(65)}`, '0', '1', '9'.repeat(65)] },
  {
    declared: 'decimal(65, 38)',
    literals: [`-${'9'.repeat(27)}`, '0', `0.${'0'.repeat(37)}1`, `0.${'0'.repeat(37)}2`, '1'],
  },
  {
    declared: 'double',
    literals: ['-1.7976931348623157e308', '-5e-324', '0', '1e23', '1.7976931348623157e308'],
  },
  { declared: 'float', literals: ['-1.7014118346046923e38', '0', '0.25', '1.7014118346046923e38'] },
  {
    declared: 'date',
    literals: quoted(
      '0000-00-00',
      '0000-01-01',
      '2024-00-00',
      '2024-01-00',
      '2024-02-29',
      '2024-02-31',
      '9999-12-31',
    ),
  },
  {
    declared: 'time(6)',
    literals: quoted(
      '-838:59:59.999999',
      '-100:00:00',
      '-00:00:00.000001',
      '00:00:00',
      '23:59:59.5',
      '24:00:00',
      '838:59:59.999999',
    ),
  },
  {
    declared: 'datetime(6)',
    literals: quoted(
      '0000-00-00 00:00:00',
      '0000-01-01 00:00:00',
      '2024-00-00 12:00:00.5',
      '2024-01-00 00:00:00',
      '2024-02-31 00:00:00',
      '9999-12-31 23:59:59.999999',
    ),
  },
  {
    declared: 'timestamp(6) null default null',
    literals: quoted('0000-00-00 00:00:00', '1970-01-01 00:00:01', '2038-01-19 03:14:07.999999'),
  },
  {
    declared: 'varchar(10) character set utf8mb4 collate utf8mb4_nopad_bin',
    literals: [`''`, 'char(0 using utf8mb4)', `'a'`, `concat('a', char(0 using utf8mb4))`, `'ab'`],
  },
];

const DUCKDB: readonly ExtremeColumn[] = [
  {
    declared: 'double',
    literals: quoted(
      '-Infinity',
      '-1.7976931348623157e308',
      '-1',
      '0',
      '5e-324',
      'Infinity',
      'NaN',
    ),
  },
  { declared: 'float', literals: quoted('-Infinity', '-1e38', '0', '0.1', 'Infinity', 'NaN') },
  { declared: 'ubigint', literals: ['0', MOST_INT64, '18446744073709551615'] },
  { declared: 'bigint', literals: [LEAST_INT64, '0', MOST_INT64] },
  {
    declared: 'hugeint',
    literals: quoted(
      '-170141183460469231731687303715884105728',
      '-1',
      '0',
      '170141183460469231731687303715884105727',
    ),
  },
  { declared: 'uhugeint', literals: quoted('0', '340282366920938463463374607431768211455') },
  { declared: 'bignum', literals: quoted(`-1${'0'.repeat(60)}`, '0', `1${'0'.repeat(60)}`) },
  {
    declared: 'decimal(38, 10)',
    literals: quoted(`-${'9'.repeat(28)}.${'9'.repeat(10)}`, '0.0000000001', '1'),
  },
  { declared: 'decimal(38, 38)', literals: quoted('-0.5', `0.${'0'.repeat(37)}1`, '0.5') },
  {
    declared: 'date',
    literals: quoted(
      '-infinity',
      '5877642-06-25 (BC)',
      '0044-03-15 (BC)',
      '0001-01-01',
      '2024-02-29',
      '10000-01-01',
      '5881580-07-10',
      'infinity',
    ),
  },
  {
    declared: 'timestamp',
    literals: quoted(
      '-infinity',
      '0044-03-15 (BC) 10:00:00',
      '0001-01-01 00:00:00',
      '2024-02-29 23:59:59.999999',
      '294246-12-31 00:00:00',
      'infinity',
    ),
  },
  { declared: 'timestamp_s', literals: quoted('1970-01-01 00:00:00', '2024-02-29 23:59:59') },
  {
    declared: 'timestamp_ms',
    literals: quoted('1970-01-01 00:00:00.001', '2024-02-29 23:59:59.9'),
  },
  {
    declared: 'timestamp_ns',
    literals: quoted('1700-01-01 00:00:00', '2024-02-29 23:59:59.000001', '2024-02-29 23:59:59.1'),
  },
  {
    declared: 'timestamptz',
    literals: quoted(
      '-infinity',
      '0044-03-15 (BC) 10:00:00Z',
      '0001-01-01 00:00:00Z',
      '2024-02-29 23:59:59.999999Z',
      'infinity',
    ),
  },
  { declared: 'time', literals: quoted('00:00:00', '23:59:59.999999', '24:00:00') },
  {
    declared: 'varchar',
    literals: [`''`, 'chr(0)', `'a'`, `'a' || chr(0)`, `'a' || chr(0) || 'b'`, `'ab'`],
  },
];

/** Extreme values by the name of the database. */
export const EXTREME_COLUMNS: Readonly<Record<string, readonly ExtremeColumn[]>> = {
  SQLite: SQLITE,
  PostgreSQL: POSTGRESQL,
  MariaDB: MARIADB,
  DuckDB: DUCKDB,
};
