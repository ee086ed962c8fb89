import type { Relation } from '../../catalogue/relation.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Row } from './connection.ts';
import { definitionOf, RELATION_RULE, RELATION_STATE } from './view-definition.ts';
import { readViewRule } from './view-rule.ts';

/** Numbers below are those of what PostgreSQL brought along. */
const FIRST_NORMAL_OBJECT = 16_384;

/**
 * The tables and views of the database with what versions of views depend on, and the functions and
 * operators that always give the same for the same operands, as one JSON text.
 */
export const VIEW_FACTS: Statement = {
  parameters: [],
  sql: `
with pure (id) as (
  select oid
  from pg_proc
  where oid < ${FIRST_NORMAL_OBJECT}
    and pronamespace = 'pg_catalog'::regnamespace
    and provolatile = 'i'
    and prokind = 'f'
)
select json_build_object(
  'relations', (
    select coalesce(json_agg(json_build_object(
      'id', c.oid::text,
      'path', json_build_array(n.nspname, c.relname),
      'state', ${RELATION_STATE},
      'plain', c.relkind = 'v' or (
        not c.relrowsecurity
        and not c.relhassubclass
        and c.relpersistence <> 't'
        and a.amname = 'heap'
      ),
      'rule', case when c.relkind = 'v' then r.ev_action::text end
    )), '[]')
    from ${RELATION_RULE}
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_am a on a.oid = c.relam
    where c.relkind in ('r', 'v')
      and n.nspname <> 'information_schema'
      and n.nspname !~ '^pg_'
      and not exists (select from pg_extension where extname in ('citus'))
  ),
  'functions', (select json_agg(id::text) from pure),
  'operators', (
    select json_agg(o.oid::text)
    from pg_operator o
    join pure p on p.id = o.oprcode
    where o.oid < ${FIRST_NORMAL_OBJECT}
  )
)::text`,
};

interface RelationFacts {
  readonly id: string;
  readonly path: readonly string[];
  readonly state: string;
  readonly plain: boolean;
  readonly rule: string | null;
}

interface ViewFacts {
  readonly relations: readonly RelationFacts[];
  readonly functions: readonly string[];
  readonly operators: readonly string[];
}

/** The relations, each view with its definition or with why it has no version. */
export function withViewVersions(relations: readonly Relation[], [text]: Row): Relation[] {
  const views = new ViewVersions(JSON.parse(text ?? '{}') as ViewFacts);
  return relations.map((relation) =>
    relation.kind === 'view' && relation.versioned !== true
      ? { ...relation, ...views.of(relation.path) }
      : relation,
  );
}

/** What a view and all below it come to. */
interface Judgement {
  readonly refusal?: string | undefined;
  /** The states of the relations that it reads, and its own. */
  readonly states: readonly string[];
}

/** Decides which views have the versions of the tables that they read. */
class ViewVersions {
  readonly #relations: ReadonlyMap<string, RelationFacts>;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #functions: ReadonlySet<string>;
  readonly #operators: ReadonlySet<string>;

  constructor({ relations, functions, operators }: ViewFacts) {
    this.#relations = new Map(relations.map((relation) => [relation.id, relation]));
    this.#ids = new Map(relations.map(({ path, id }) => [JSON.stringify(path), id]));
    this.#functions = new Set(functions);
    this.#operators = new Set(operators);
  }

  of(path: readonly string[]): Pick<Relation, 'versioned' | 'definition' | 'unversioned'> {
    const { refusal, states } = this.#judge(this.#ids.get(JSON.stringify(path)) ?? '');
    return refusal === undefined
      ? { versioned: true, definition: definitionOf(states) }
      : { versioned: false, unversioned: refusal };
  }

  #judge(id: string): Judgement {
    const relation = this.#relations.get(id);
    if (relation === undefined)
      return { refusal: 'it reads something other than ordinary tables and views', states: [] };
    const { plain, state, rule } = relation;
    if (!plain) return { refusal: NOT_PLAIN, states: [] };
    return rule === null ? { states: [state] } : this.#judgeRule(relation, rule);
  }

  #judgeRule({ id, state }: RelationFacts, rule: string): Judgement {
    const { refusal, relations, functions, operators } = readViewRule(rule);
    const isPure =
      functions.every((name) => this.#functions.has(name)) &&
      operators.every((name) => this.#operators.has(name));
    const impure = isPure ? undefined : IMPURE;
    // Before PostgreSQL 16 a rule names its own view too.
    const below = relations.filter((other) => other !== id).map((other) => this.#judge(other));
    return {
      refusal: refusal ?? impure ?? below.find((one) => one.refusal !== undefined)?.refusal,
      states: [state, ...below.flatMap(({ states }) => states)],
    };
  }
}

const NOT_PLAIN =
  'it reads a table with row security, with children or of another kind than the usual one';

const IMPURE = 'it calls a function that is not built in and IMMUTABLE';
