import { Introspection, type KeyCandidate, type Relation } from '@proj/engine/database';

import { HAS_CHILDREN, NOT_NULL, UNIQUE_INDEXES } from './introspection.ts';
import { withoutNames } from './view-rule.ts';

const IS_READ_BY_VIEW = `exists (
  select
  from pg_depend d
  where d.refclassid = 'pg_class'::regclass
    and d.refobjid = c.oid
    and d.classid = 'pg_rewrite'::regclass
)`;

/** Of a relation `c`. The account may lack the right to read tables below a view. */
export const KEY_FACTS = `
  'columns', case when c.relkind = 'v' or ${IS_READ_BY_VIEW} then (
    select json_object_agg(a.attnum, json_build_object('name', a.attname, 'not_null', ${NOT_NULL}))
    from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) end,
  'keys', case when c.relkind in ('r', 'p') and not (${HAS_CHILDREN}) and ${IS_READ_BY_VIEW} then (
    ${UNIQUE_INDEXES}
  ) end`;

export interface KeyFacts {
  readonly id: string;
  readonly rule: string | null;
  readonly columns: Readonly<
    Record<string, { readonly name: string; readonly not_null: boolean }>
  > | null;
  readonly keys: readonly Required<Pick<Introspection.UniqueIndex, 'key'>>[] | null;
}

export class ViewKeys {
  readonly #relations: ReadonlyMap<string, KeyFacts>;

  constructor(relations: ReadonlyMap<string, KeyFacts>) {
    this.#relations = relations;
  }

  applyTo(view: Relation, id: string): Relation {
    const keys = this.#keysOf(this.#relations.get(id)).filter((key) =>
      key.every(({ column }) => view.columns.some(({ name }) => name === column)),
    );
    return Introspection.withKeys(view, keys);
  }

  #keysOf(relation: KeyFacts | undefined, above: readonly string[] = []): readonly KeyCandidate[] {
    // A view may lead to itself.
    if (relation === undefined || above.includes(relation.id)) return [];
    const { rule, columns } = relation;
    if (rule === null) return keysOfTable(relation);
    const shown = shownColumns(rule);
    const below = this.#relations.get(shown?.relation ?? '');
    const nameOf = new Map(
      shown?.columns.map(([own, other]) => [below?.columns?.[other]?.name, columns?.[own]?.name]),
    );
    return Introspection.keysShown(this.#keysOf(below, [...above, relation.id]), nameOf);
  }
}

function keysOfTable({ columns, keys }: KeyFacts): readonly KeyCandidate[] {
  const notNull = new Set(
    Object.values(columns ?? {}).flatMap((column) => (column.not_null ? column.name : [])),
  );
  const ordered = (keys ?? []).map(({ key }) => key);
  return ordered.filter((key) => key.every(({ column }) => notNull.has(column)));
}

const CHANGES_ROWS = new RegExp(
  [
    String.raw`\{(?:JOINEXPR|SETOPERATIONSTMT) `,
    ':(?:hasAggs|hasTargetSRFs) true',
    ':(?:groupClause|groupingSets|havingQual|distinctClause|setOperations|cteList) [^<]',
    ':commandType [^1]',
  ].join('|'),
);

const SHOWN = new RegExp(
  String.raw`:resno (\d+) :resname \S+ :ressortgroupref \d+ ` +
    String.raw`:resorigtbl ([1-9]\d*) :resorigcol (\d+) :resjunk false`,
  'g',
);

interface Shown {
  readonly relation: string;
  /** Numbers of the view's columns, with those that they show unchanged. */
  readonly columns: readonly (readonly [own: string, other: string])[];
}

/** The relation whose rows a view shows; undefined where uncertain. */
function shownColumns(rule: string): Shown | undefined {
  const outer = withoutSublinks(withoutNames(rule));
  const isOne = outer.split('{QUERY ').length === 2 && outer.split('{RANGETBLREF ').length === 2;
  if (!isOne || CHANGES_ROWS.test(outer)) return undefined;
  const found = [...outer.matchAll(SHOWN)];
  const [relation, ...others] = new Set(found.map(([, , id = '']) => id));
  if (relation === undefined || others.length > 0) return undefined;
  return { relation, columns: found.map(([, own = '', , other = '']) => [own, other]) };
}

function withoutSublinks(text: string): string {
  const start = text.indexOf('{SUBLINK ');
  if (start === -1) return text;
  let end = start;
  let depth = 0;
  do {
    if (text[end] === '{') depth += 1;
    else if (text[end] === '}') depth -= 1;
    end += 1;
  } while (depth > 0 && end < text.length);
  return text.slice(0, start) + withoutSublinks(text.slice(end));
}
