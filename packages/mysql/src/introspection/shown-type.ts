import type { ShownColumn } from '../connection/connection.ts';

const [UNSIGNED, ENUM, SET] = [32, 256, 2048];

/** The character set of bytes. */
const BINARY = 63;

/** Of texts in replies. */
const BYTES_OF_CHARACTER = 4;

/** By number: https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html */
const NAMES: Readonly<Record<number, string>> = {
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  16: 'bit',
  242: 'vector',
  245: 'json',
  246: 'decimal',
  255: 'geometry',
};

/** As `information_schema` writes the type of a column, with what a reply says of it. */
export function shownTypeOf(column: ShownColumn): string {
  const { columnType, columnLength, characterSet, decimals, flags } = column;
  const unsigned = (flags & UNSIGNED) === 0 ? '' : ' unsigned';
  const name = NAMES[columnType];
  if (name === undefined) return textTypeOf(column, characterSet === BINARY);
  switch (name) {
    case 'tinyint':
      return `${name}${columnLength === 1 ? '(1)' : ''}${unsigned}`;
    case 'bit':
      return `bit(${columnLength})`;
    case 'decimal': {
      const signs = (decimals > 0 ? 1 : 0) + (unsigned === '' ? 1 : 0);
      return `decimal(${columnLength - signs},${decimals})${unsigned}`;
    }
    case 'smallint':
    case 'int':
    case 'bigint':
    case 'mediumint':
      return `${name}${unsigned}`;
    default:
      return name;
  }
}

const [VAR_STRING, STRING] = [253, 254];

function textTypeOf({ columnType, columnLength, flags }: ShownColumn, isBytes: boolean): string {
  if ((flags & ENUM) !== 0) return 'enum()';
  if ((flags & SET) !== 0) return 'set()';
  const isShort = columnType === VAR_STRING || columnType === STRING;
  if (isBytes) return isShort ? `varbinary(${columnLength})` : 'longblob';
  return isShort ? `varchar(${Math.floor(columnLength / BYTES_OF_CHARACTER)})` : 'longtext';
}
