import type { WireType } from '@proj/contract';

/** The table `kinds`, whose columns have what the databases have in common. */
export const CREATE_KINDS = `create table kinds (
  id integer not null primary key,
  small smallint,
  large bigint,
  name varchar(80),
  amount numeric(20, 5),
  weight double precision,
  day date,
  moment timestamp null,
  clock time
)`;

/** Some rows of `kinds`, one of them with nothing but its key. */
export function fillKinds(): string {
  const rows = Array.from({ length: 60 }, (_, index) => {
    const day = `2024-02-${String(1 + (index % 29)).padStart(2, '0')}`;
    const numbers = [index, index % 7, index * 1_000_003, `'name ${index}'`, `${index}.25`];
    const rest = [`${index}.5`, `'${day}'`, `'${day} 10:20:30'`, `'10:20:${30 + (index % 30)}'`];
    return `(${[...numbers, ...rest].join(', ')})`;
  });
  const empty = '(1000, null, null, null, null, null, null, null, null)';
  return `insert into kinds values ${[...rows, empty].join(', ')}`;
}

/** The attributes of the models, with their types. */
export const MODELS: Readonly<Record<string, Readonly<Record<string, WireType>>>> = {
  kinds: {
    id: 'int32',
    small: 'int32',
    large: 'int64',
    name: 'text',
    amount: 'decimal',
    weight: 'float64',
    day: 'date',
    moment: 'timestamp',
    clock: 'time',
  },
  items: { id: 'int32', name: 'text', amount: 'decimal' },
  others: { id: 'int32', name: 'text' },
};

/** Values that a type takes. */
export const EXAMPLES: Partial<Record<WireType, readonly string[]>> = {
  int32: ['0', '3', '-2147483648', '2147483647'],
  int64: ['0', '6000018', '9223372036854775807', '-9223372036854775808'],
  text: ['name 3', 'item 7', '', 'NAME', '%', '_', '\\', 'é', '\u{1f600}'],
  decimal: ['0', '3.25', '-999999999999999.99999', '1000000000000000000000000000000'],
  float64: ['0', '3.5', '-1.5', '1.7976931348623157e308', '5e-324'],
  date: ['2024-02-29', '0001-01-01', '9999-12-31'],
  timestamp: ['2024-02-03T10:20:30', '2024-02-03T10:20:30.123456', '0001-01-01T00:00:00'],
  time: ['10:20:31', '00:00:00', '23:59:59.999999'],
};
