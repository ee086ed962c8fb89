import { Introspection } from '@proj/engine/database';

/** Data that the server keeps or makes up for itself. */
export const SYSTEM_DATABASES = ['information_schema', 'performance_schema', 'sys', 'mysql'];

export interface Named {
  readonly database: string;
  readonly name: string;
}

export interface ShownRelation extends Named {
  /** Of a view: its definition, empty where the account is not shown it. Otherwise NULL. */
  readonly definition: string | null;
  /** Expressions of virtual columns, known of the session's database alone. */
  readonly computed: readonly string[];
}

/** Whether two reads in one statement may differ; undefined where the account is not shown it. */
type Varies = boolean | undefined;

const TEXT_OR_NAME = /'(?:[^'\\]|\\.|'')*'|`((?:[^`]|``)*)`/gs;

/** A quoted name, encoded as its bytes. */
const NAME = '`([0-9a-f]+)`';

/** What a view reads: a pair of names, of which the second is not a column's. */
const READ = new RegExp(String.raw`\b(?:from|\w*join)[\s(]+${NAME}\.${NAME}(?!\.)`, 'gi');

/** Only stored functions have quoted names. */
const STORED_CALL = new RegExp(String.raw`(?:${NAME}\.)?${NAME}\s*\(`, 'g');

/** Random values, the running clock, locks, sequences, and the connection's past. */
export const VARYING_CALL = new RegExp(
  String.raw`\b(?:${[
    'rand|random_bytes|uuid|uuid_short|uuid_v[47]|sys_guid|encrypt|sysdate',
    'nextval|lastval|setval|last_insert_id|found_rows|row_count',
    'get_lock|release_lock|release_all_locks|is_free_lock|is_used_lock',
  ].join('|')})\s*\(`,
  'i',
);

const SYSTEM: ReadonlySet<string> = new Set(SYSTEM_DATABASES.map(hex));

/** Finds relations, by printed definitions, that may vary between reads of one statement. */
export class VaryingRelations {
  readonly #relations: ReadonlyMap<string, ShownRelation>;
  readonly #steadyFunctions: ReadonlySet<string>;
  // A view may lead to itself.
  readonly #has = Introspection.judgeOnce<Varies>((key) => this.#judge(key), false);

  /** @param steadyFunctions those declared `deterministic` */
  constructor(relations: readonly ShownRelation[], steadyFunctions: readonly Named[]) {
    this.#relations = new Map(relations.map((one) => [keyOf(one), one]));
    this.#steadyFunctions = new Set(steadyFunctions.map(keyOf));
  }

  /** Undefined where the account is not shown the whole definition. */
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

export function keyOf({ database, name }: Named): string {
  return `${hex(database)}.${hex(name)}`;
}

function hex(name: string): string {
  return Buffer.from(name).toString('hex');
}
