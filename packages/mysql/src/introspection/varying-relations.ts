import { Introspection } from '@proj/engine/database';

/** The databases of what the server keeps or makes up for itself. */
export const SYSTEM_DATABASES = ['information_schema', 'performance_schema', 'sys', 'mysql'];

/** What the account is shown of any database. */
export interface Named {
  readonly database: string;
  readonly name: string;
}

/** A relation of any database that the account is shown. */
export interface ShownRelation extends Named {
  /** What defines a view, and nothing where the account is not shown it; NULL of others. */
  readonly definition: string | null;
  /** The expressions of its virtual columns, which are known of the session's database alone. */
  readonly computed: readonly string[];
}

/** Whether two reads of a relation may differ in one statement; undefined where it is not shown. */
type Varies = boolean | undefined;

const TEXT_OR_NAME = /'(?:[^'\\]|\\.|'')*'|`((?:[^`]|``)*)`/gs;

/** A quoted name, in place of which stand its bytes. */
const NAME = '`([0-9a-f]+)`';

/** What a view reads: a pair of names, of which the second is not that of a column. */
const READ = new RegExp(String.raw`\b(?:from|\w*join)[\s(]+${NAME}\.${NAME}(?!\.)`, 'gi');

/** Stored functions have quoted names, and those of the server have not. */
const STORED_CALL = new RegExp(String.raw`(?:${NAME}\.)?${NAME}\s*\(`, 'g');

/** Chance, the clock as it runs, locks, sequences, and what the connection did before. */
const VARYING_CALL = new RegExp(
  String.raw`\b(?:${[
    'rand|random_bytes|uuid|uuid_short|uuid_v[47]|sys_guid|encrypt|sysdate',
    'nextval|lastval|setval|last_insert_id|found_rows|row_count',
    'get_lock|release_lock|release_all_locks|is_free_lock|is_used_lock',
  ].join('|')})\s*\(`,
  'i',
);

const SYSTEM: ReadonlySet<string> = new Set(SYSTEM_DATABASES.map(hex));

/**
 * Decides, from definitions as the server prints them, which relations may show other rows each
 * time that a statement reads them.
 */
export class VaryingRelations {
  readonly #relations: ReadonlyMap<string, ShownRelation>;
  readonly #steadyFunctions: ReadonlySet<string>;
  // A view may lead to itself.
  readonly #has = Introspection.judgeOnce<Varies>((key) => this.#judge(key), false);

  /** @param steadyFunctions those that are declared to depend on their arguments alone */
  constructor(relations: readonly ShownRelation[], steadyFunctions: readonly Named[]) {
    this.#relations = new Map(relations.map((one) => [keyOf(one), one]));
    this.#steadyFunctions = new Set(steadyFunctions.map(keyOf));
  }

  /** Undefined where the account is not shown all that the relation is defined as. */
  has(relation: Named): Varies {
    return this.#has(keyOf(relation));
  }

  /** All that a relation reads, itself first, as far as the account is shown it. */
  readBy(relation: Named): readonly Named[] {
    const found = new Set<ShownRelation>();
    const add = (key: string): void => {
      const shown = this.#relations.get(key);
      if (shown === undefined || found.has(shown)) return;
      found.add(shown);
      for (const below of readIn(withoutTexts(shown.definition ?? ''))) add(below.key);
    };
    add(keyOf(relation));
    return [...found];
  }

  #judge(key: string): Varies {
    const relation = this.#relations.get(key);
    if (relation === undefined || relation.definition === '') return undefined;
    const { database, definition, computed } = relation;
    const text = withoutTexts([definition ?? '', ...computed].join(' , '));
    if (this.#calls(text, hex(database))) return true;
    const read = readIn(text).map((below) => below.isSystem || this.#has(below.key));
    if (read.includes(true)) return true;
    return read.includes(undefined) ? undefined : false;
  }

  #calls(text: string, database: string): boolean {
    const stored = [...text.matchAll(STORED_CALL)].some(
      ([, from = database, name]) => !this.#steadyFunctions.has(`${from}.${name ?? ''}`),
    );
    return stored || VARYING_CALL.test(text);
  }
}

/** What a definition reads, each by its key. */
function readIn(text: string): { readonly key: string; readonly isSystem: boolean }[] {
  return [...text.matchAll(READ)].map(([, from = '', name = '']) => {
    return { key: `${from}.${name}`, isSystem: SYSTEM.has(from) };
  });
}

function withoutTexts(expression: string): string {
  return expression.replaceAll(TEXT_OR_NAME, (_, name?: string) =>
    name === undefined ? '?' : `\`${hex(name.replaceAll('``', '`'))}\``,
  );
}

/** The same for equal names alone. */
export function keyOf({ database, name }: Named): string {
  return `${hex(database)}.${hex(name)}`;
}

function hex(name: string): string {
  return Buffer.from(name).toString('hex');
}
