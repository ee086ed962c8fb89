import { constants, type DatabaseSync } from 'node:sqlite';

import { quoted, select } from './select.ts';
import { lowered, refusalOf, variesWithin } from './view-sql.ts';

/** Left out: those that may take the time from an argument, or whose results depend on the plan. */
const PURE_FUNCTIONS = new Set(
  `->> abs ceil ceiling char coalesce concat concat_ws floor format glob hex if ifnull iif instr
  json_array_length json_type json_valid length like likelihood likely lower ltrim mod nullif
  octet_length printf quote replace round rtrim sign substr substring trim trunc typeof unhex
  unicode unlikely upper zeroblob`.split(/\s+/),
);

interface SchemaRow {
  readonly name: string;
  readonly type: 'table' | 'view';
  readonly sql: string;
}

/** As SQLite finds when it compiles a statement that reads the view. */
interface References {
  readonly relations: Set<string>;
  readonly functions: Set<string>;
  readonly others: boolean;
}

/** For one state of the file's schema: use it in its transaction, or until the schema changes. */
export class VersionedRelations {
  readonly #database: DatabaseSync;
  readonly #schema: ReadonlyMap<string, SchemaRow>;
  readonly #reasons = new Map<string, string | undefined>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    // Makes SQLite reread a changed schema; compiling alone does not.
    const rows = select<SchemaRow>(
      database,
      `select name, type, sql from sqlite_schema where type in ('table', 'view')`,
    );
    this.#schema = new Map(rows.map((row) => [lowered(row.name), row]));
  }

  /** Completes a sentence that begins with the relation's name; undefined if it has the version. */
  refusalOf(name: string): string | undefined {
    if (!this.#reasons.has(name)) this.#reasons.set(name, this.#judge(this.#find(name)));
    return this.#reasons.get(name);
  }

  /** Whether it is a view that asks for random values or the time, or may read one that does. */
  varies(name: string): boolean {
    const relation = this.#find(name);
    if (relation?.type !== 'view') return false;
    const below = referencesOf(this.#database, name)?.relations ?? this.#schema.keys();
    const read = [relation, ...[...below].map((other) => this.#find(other))];
    return read.some((one) => one?.type === 'view' && variesWithin(one.sql));
  }

  #judge(relation: SchemaRow | undefined): string | undefined {
    return relation?.type === 'view' ? this.#judgeView(relation) : refusalOfPart(relation);
  }

  #judgeView(view: SchemaRow): string | undefined {
    const references = referencesOf(this.#database, view.name);
    if (references === undefined) return 'it cannot be looked into';
    const { relations, functions, others } = references;
    if (others) return 'it is recursive, or does not only select';
    if ([...functions].some((name) => !PURE_FUNCTIONS.has(lowered(name)))) return IMPURE;
    const read = [view, ...[...relations].map((name) => this.#find(name))];
    return read.map(refusalOfPart).find((reason) => reason !== undefined);
  }

  #find(name: string): SchemaRow | undefined {
    return this.#schema.get(lowered(name));
  }
}

function refusalOfPart(relation: SchemaRow | undefined): string | undefined {
  if (relation?.type === 'view') return refusalOf(relation.sql);
  const isOrdinary = relation !== undefined && /^create table/i.test(relation.sql);
  return isOrdinary ? undefined : 'it reads something other than ordinary tables and views';
}

/** Undefined where SQLite cannot compile the view, or Node does not report what it finds. */
function referencesOf(database: DatabaseSync, view: string): References | undefined {
  // Node has it since 24.10.
  if (!('setAuthorizer' in database)) return undefined;
  const relations = new Set<string>();
  const functions = new Set<string>();
  let others = false;
  database.setAuthorizer((action, first, second) => {
    if (action === constants.SQLITE_READ) relations.add(first ?? '');
    else if (action === constants.SQLITE_FUNCTION) functions.add(second ?? '');
    else if (action !== constants.SQLITE_SELECT) others = true;
    return constants.SQLITE_OK;
  });
  try {
    database.prepare(`select * from ${quoted(view)}`);
  } catch {
    return undefined;
  } finally {
    database.setAuthorizer(null);
  }
  return { relations, functions, others };
}

const IMPURE = 'it calls a function that is not known to give the same each time';
