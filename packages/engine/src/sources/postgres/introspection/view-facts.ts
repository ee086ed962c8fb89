import type { Relation } from '../../../catalogue/relation.ts';
import type { Statement } from '../../../sql/statement.ts';
import type { Row } from '../connection/connection.ts';
import { definitionOf, RELATION_RULE, RELATION_STATE } from '../versions/definition.ts';
import { LockableViews, type RelationLocks, viewLocks } from './lockable-views.ts';
import { type Readers, SERVICE } from './readers.ts';
import { IS_PLAIN, WITHOUT_CITUS } from '../versions/plain-relation.ts';
import {
  type RelationExpressions,
  VARYING_CALLS,
  type VaryingCalls,
  VaryingRelations,
} from './varying-relations.ts';
import { readViewRule } from './view-rule.ts';

/** Numbers below are those of what PostgreSQL brought along. */
const FIRST_NORMAL_OBJECT = 16_384;

/**
 * The tables and views of the database with what versions of views depend on, the functions and
 * operators that always give the same for the same operands, and those that may not even within a
 * snapshot, as one JSON text.
 */
export function viewFacts(readers: Readers = SERVICE): Statement {
  return { parameters: [], sql: textFor(readers) };
}

function textFor(readers: Readers): string {
  return `
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
        ${WITHOUT_CITUS} and ${IS_PLAIN} and not c.relhassubclass and c.relpersistence <> 't'
      ),
      'rule', case when c.relkind = 'v' then r.ev_action::text end,
      'locks', case when c.relkind = 'v' then ${viewLocks(readers)} end,
      'policies', case when c.relrowsecurity then (
        select string_agg(p.polqual::text, ' ')
        from pg_policy p
        where p.polrelid = c.oid and p.polcmd in ('r', '*')
      ) end
    )), '[]')
    from ${RELATION_RULE}
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v')
      and n.nspname <> 'information_schema'
      and n.nspname !~ '^pg_'
  ),
  'functions', (select json_agg(id::text) from pure),
  'operators', (
    select json_agg(o.oid::text)
    from pg_operator o
    join pure p on p.id = o.oprcode
    where o.oid < ${FIRST_NORMAL_OBJECT}
  ),
  'varying', (${VARYING_CALLS})
)::text`;
}

interface RelationFacts extends RelationExpressions, RelationLocks {
  readonly path: readonly string[];
  readonly state: string;
  readonly plain: boolean;
}

interface ViewFacts {
  readonly relations: readonly RelationFacts[];
  readonly functions: readonly string[];
  readonly operators: readonly string[];
  readonly varying: VaryingCalls;
}

/**
 * The relations with whether they vary, and whether they have snapshots, each view with its
 * definition or with why it has no version.
 */
export function withViewFacts(relations: readonly Relation[], [text]: Row): Relation[] {
  const facts = JSON.parse(text ?? '{}') as ViewFacts;
  const views = new ViewVersions(facts);
  const varying = new VaryingRelations(facts.varying, facts.relations);
  const lockable = new LockableViews(facts.relations);
  const ids = new Map(facts.relations.map(({ path, id }) => [JSON.stringify(path), id]));
  return relations.map((relation) => {
    const { kind, versioned, snapshots, path } = relation;
    const id = ids.get(JSON.stringify(path)) ?? '';
    return {
      ...relation,
      ...(kind === 'view' && versioned !== true && views.of(id)),
      snapshots: snapshots === true && lockable.has(id),
      varies: varying.has(id),
    };
  });
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
  readonly #functions: ReadonlySet<string>;
  readonly #operators: ReadonlySet<string>;
  readonly #judged = new Map<string, Judgement>();

  constructor({ relations, functions, operators }: ViewFacts) {
    this.#relations = new Map(relations.map((relation) => [relation.id, relation]));
    this.#functions = new Set(functions);
    this.#operators = new Set(operators);
  }

  of(id: string): Pick<Relation, 'versioned' | 'definition' | 'unversioned'> {
    const { refusal, states } = this.#judge(id);
    return refusal === undefined
      ? { versioned: true, definition: definitionOf(states) }
      : { versioned: false, unversioned: refusal };
  }

  #judge(id: string): Judgement {
    const known = this.#judged.get(id);
    if (known !== undefined) return known;
    this.#judged.set(id, { refusal: 'it leads to itself', states: [] });
    const judgement = this.#judgeAnew(id);
    this.#judged.set(id, judgement);
    return judgement;
  }

  #judgeAnew(id: string): Judgement {
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
