import { Introspection } from '@proj/engine/database';

import type { Readers } from './readers.ts';
import { namesOf, RELATION_NUMBERS, withoutNames } from './view-rule.ts';

/** Whether a view `c` reads with the rights of whoever reads it; its owner's otherwise. */
export const READS_AS_INVOKER =
  "array_to_string(c.reloptions, ',') ~* '(^|,)security_invoker=(on|true|yes|1)(,|$)'";

/**
 * Whether `lock table` gets through a view `c` with the rule `r` to all that it reads itself. It
 * takes the right to select from whole tables, where a view reads with the right to some of their
 * columns; the owner of the view has to have it, or, where the view says so, whoever reads it.
 * Materialised views, foreign tables and sequences are passed over.
 */
export function viewLocks(readers: Readers): string {
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

/** A relation by its number, and whether a lock gets through it to what it reads itself. */
export interface RelationLocks {
  readonly id: string;
  readonly rule: string | null;
  readonly locks: boolean | null;
}

/** Whether a lock reaches all that is below a view, by its number. */
export function lockableViews(relations: readonly RelationLocks[]): (id: string) => boolean {
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  // Before PostgreSQL 16 a rule names its own view too.
  const isLockable = Introspection.judgeOnce((id): boolean => {
    const { rule, locks } = byId.get(id) ?? { rule: null, locks: null };
    if (rule === null) return true;
    return locks === true && namesOf(withoutNames(rule), RELATION_NUMBERS).every(isLockable);
  }, true);
  return isLockable;
}
