import { compilerOf, type Dialect, type Expression, Reads, Texts } from '@proj/engine/database';
import { PostgresQueryCompiler, sql } from 'kysely';

import { proofOf, whileDefined } from './versions/definition.ts';
import { postgresGroups } from './facets/groups.ts';
import { lockRelations } from './connection/lock.ts';
import { canBeElement, holds } from './values/held-values.ts';
import { misfits } from './values/wire-types.ts';
import { comparable, inOneCase, isFarCitext, operandOf, rangeMeets } from './values/operands.ts';
import {
  JSON_TEXTS,
  selectAtOnce,
  selectKeys,
  selectRecords,
  selectRecordsOfServers,
} from './reads/page-statements.ts';
import { textIsOneOf, textMatches } from './values/text-comparison.ts';
import { SNAPSHOT_VERSION } from './states/version.ts';

const COMPILER = compilerOf(new PostgresQueryCompiler());

/** @param version an expression for the version that a statement saw */
export function makePostgresDialect(version: Expression): Dialect {
  const versionColumn = sql`${version} as ${sql.id('version')}`;
  const statements = Reads.jsonStatements({ ...JSON_TEXTS, version });
  return {
    kysely: COMPILER,
    ...statements,
    records: selectRecords,
    recordsOfServers: selectRecordsOfServers,
    version,
    whileDefined(relations) {
      const proof = relations.map(proofOf).join(' and ');
      return { ...makePostgresDialect(whileDefined(proof, version)), proof };
    },
    readsParts: 'all',
    // The protocol counts them in 16 bits.
    maxParameters: 65_535,
    atOnce: (page) => selectAtOnce(statements.rows(page.fields, page), page),
    lock: lockRelations,
    keys: {
      comparesRows: true,
      // Its own text form brings a value back as it was.
      column: (column) => sql`${column}::text`,
      // PostgreSQL can't compare a domain over an enum with a label.
      compared(column, field) {
        if (isFarCitext(field)) return inOneCase(column);
        return field.type === 'enum' ? sql`${column}::${sql.raw(field.databaseType)}` : column;
      },
      operand: (placeholder, field) =>
        isFarCitext(field)
          ? inOneCase(sql`${placeholder}`)
          : sql`${placeholder}::${sql.raw(field.databaseType.replace(/ collate .*$/, ''))}`,
      ordersNull: true,
      select: (keys) => selectKeys(keys, versionColumn),
    },
    groups: postgresGroups,
    joins: {
      // Named, since the server knows none for two columns that differ.
      equal({ key, held, collation, operator = '=' }) {
        const collate = collation === undefined ? sql`` : sql` collate ${sql.raw(collation)}`;
        return sql`${key}${collate} ${sql.raw(operator)} ${held}`;
      },
    },
    orderTerm(column, { direction, nulls, nullable, collation }) {
      const collate = collation === undefined ? sql`` : sql` collate ${sql.raw(collation)}`;
      // An index serves only an order written like its own.
      const place =
        nullable && nulls !== NULLS_BY_DEFAULT[direction] ? sql` nulls ${sql.raw(nulls)}` : sql``;
      return sql`${column}${collate} ${sql.raw(direction)}${place}`;
    },
    canHold: (value, field) =>
      Texts.lackedCharacter(value, field.encoding) === undefined && canBeElement(value, field),
    // A row of NULLs `is null`, and one with some is neither.
    isNull: (column) => sql`${column} is not distinct from null`,
    comparable,
    misfits,
    operand: operandOf,
    textIsOneOf,
    textMatches,
    holds,
    rangeMeets,
  };
}

export const postgresDialect = makePostgresDialect(SNAPSHOT_VERSION);

const NULLS_BY_DEFAULT = { asc: 'last', desc: 'first' } as const;
