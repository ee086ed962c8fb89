import { Introspection, type Relation, type Statement } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import {
  allMembersAre,
  IS_ORDINARY,
  numbersOf,
  RELATION_RULE,
  RELATION_STATE,
  WITHOUT_CITUS,
} from '../states/relation-state.ts';
import { policedText } from '../versions/definition.ts';
import { type Readers, SERVICE } from './introspection.ts';
import type { CallerRules } from './policy-facts.ts';
import {
  type Judgement,
  RelationVersions,
  type VersionedRelation,
  type VersionFacts,
} from './relation-versions.ts';
import {
  type RelationExpressions,
  VARYING_CALLS,
  type VaryingCalls,
  varyingRelations,
} from './varying-relations.ts';
import { KEY_FACTS, type KeyFacts, ViewKeys } from './view-keys.ts';
import { namesOf, RELATION_NUMBERS, withoutNames } from './view-rule.ts';

/** Whether a view `c` reads with its reader's rights instead of its owner's. */
export const READS_AS_INVOKER =
  "array_to_string(c.reloptions, ',') ~* '(^|,)security_invoker=(on|true|yes|1)(,|$)'";

/**
 * `lock table` needs the right to select whole tables, by the view's owner or reader; a view may do
 * with some columns. Skips materialised views, foreign tables and sequences.
 */
function viewLocks(readers: Readers): string {
  return `(
  select coalesce(bool_and(
    b.relkind in ('r', 'p', 'v')
    and case
      when ${READS_AS_INVOKER}
      then ${readers.every(
        (role) => `has_table_privilege(${role}b.oid, 'select')`,
        (role) => `has_any_column_privilege(${role}c.oid, 'select')`,
      )}
      else has_table_privilege(c.relowner, b.oid, 'select')
    end
  ), true)
  from pg_depend d
  join pg_class b on b.oid = d.refobjid
  where d.classid = 'pg_rewrite'::regclass
    and d.objid = r.oid
    and d.refclassid = 'pg_class'::regclass
    and d.refobjid <> c.oid
)`;
}

interface RelationLocks {
  readonly rule: string | null;
  readonly locks: boolean | null;
}

function lockableViews(relations: ReadonlyMap<string, RelationLocks>): (id: string) => boolean {
  // Before PostgreSQL 16 a rule names its own view too.
  const isLockable = Introspection.judgeOnce((id): boolean => {
    const { rule, locks } = relations.get(id) ?? { rule: null, locks: null };
    if (rule === null) return true;
    return locks === true && namesOf(withoutNames(rule), RELATION_NUMBERS).every(isLockable);
  }, true);
  return isLockable;
}

/** Objects below came with PostgreSQL. */
const FIRST_NORMAL_OBJECT = 16_384;

/** As one JSON text: what view versions depend on, with pure and varying functions. */
export function viewFacts(readers: Readers = SERVICE): Statement {
  const sql = `
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
      'ordinary', c.relkind = 'v' or (
        ${WITHOUT_CITUS} and ${IS_ORDINARY} and not c.relhassubclass and c.relpersistence <> 't'
      ),
      'parent', c.relkind in ('r', 'p') and (c.relkind = 'p' or c.relhassubclass)
        and ${WITHOUT_CITUS} and ${allMembersAre('c.oid', IS_ORDINARY)},
      'policed', c.relrowsecurity,
      'invoker', coalesce(${READS_AS_INVOKER}, false),
      'rule', case when c.relkind = 'v' then r.ev_action::text end,
      'locks', case when c.relkind = 'v' then ${viewLocks(readers)} end,
      'policies', case when c.relrowsecurity then (
        select string_agg(p.polqual::text, ' ')
        from pg_policy p
        where p.polrelid = c.oid and p.polcmd in ('r', '*')
      ) end,${KEY_FACTS}
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
  return { parameters: [], sql };
}

interface RelationFacts extends RelationExpressions, RelationLocks, VersionedRelation, KeyFacts {
  readonly path: readonly string[];
  readonly rule: string | null;
}

interface ViewFacts extends Omit<VersionFacts, 'relations'> {
  readonly relations: readonly RelationFacts[];
  readonly varying: VaryingCalls;
}

/** Callers get versions of their own where the relation has none. */
export function withViewFacts(
  relations: readonly Relation[],
  [text]: Row,
  callers: readonly CallerRules[] = [],
): Relation[] {
  const { relations: found, varying, ...pure } = JSON.parse(text ?? '{}') as ViewFacts;
  const facts = { ...pure, relations: new Map(found.map((relation) => [relation.id, relation])) };
  const versions = new RelationVersions(facts);
  const ofRoles = new Map(callers.map((caller) => [caller.role.name, versionsOf(caller, facts)]));
  const varies = varyingRelations(varying, facts.relations);
  const isLockable = lockableViews(facts.relations);
  const keys = new ViewKeys(facts.relations);
  return Introspection.withFacts(relations, found, (relation, [{ id } = { id: '' }]) => {
    const { kind, snapshots } = relation;
    const isJudged = kind === 'view' && relation.versioned !== true;
    const keyed =
      kind === 'view' && relation.keys.length === 0 ? keys.applyTo(relation, id) : relation;
    const judged = isJudged ? { ...keyed, ...viewVersion(versions.of(id)) } : keyed;
    const roles = judged.roles?.map((access) => ({ ...access, ...ofRoles.get(access.role)?.(id) }));
    return {
      ...judged,
      ...(roles !== undefined && judged.versioned !== true && { roles }),
      snapshots: snapshots === true && isLockable(id),
      varies: varies(id),
    };
  });
}

function viewVersion({
  refusal,
  relations,
}: Judgement): Pick<Relation, 'versioned' | 'definition' | 'unversioned'> {
  return refusal === undefined
    ? { versioned: true, definition: relations.join(',') }
    : { versioned: false, unversioned: refusal };
}

type RoleVersion = Pick<
  NonNullable<Relation['roles']>[number],
  'calls' | 'definition' | 'unversioned' | 'decidesBy'
>;

function versionsOf(caller: CallerRules, facts: VersionFacts): (id: string) => RoleVersion {
  const { state: role, settled } = caller.role;
  if (!settled) return () => ({ unversioned: 'the memberships of its role are being changed' });
  const versions = new RelationVersions(facts, caller);
  return (id) => {
    const { refusal, relations, functions, settings } = versions.of(id);
    const calls = functions.map((state) => numbersOf([state]));
    if (refusal !== undefined) return { calls, unversioned: refusal };
    const isByRow = relations.length === 1 && functions.length === 0;
    return {
      calls,
      definition: policedText(relations, functions, role),
      ...(isByRow && { decidesBy: settings }),
    };
  };
}
