import { sql } from 'kysely';

import type { Model } from '../../catalogue/model.ts';
import type { ListRows } from '../../planning/list-rows.ts';
import { columnOf, listedAs } from './relation-rows.ts';
import type { Dialect, EvaluatedList, PageClauses } from '../dialect.ts';
import type { Expression } from '../statement.ts';

export interface Evaluated {
  readonly list: Pick<ListRows, 'rows' | 'facts' | 'relations' | 'models'>;
  readonly needed: readonly { readonly column: string }[];
}

/** @param made lists made of this one that the statement names too */
type Complete = (statement: Expression, ...made: readonly EvaluatedList[]) => Expression;

export function isEvaluatedOnce({ facts, rows }: Evaluated['list']): boolean {
  return facts.varies !== undefined || rows.kind === 'groups';
}

/**
 * Evaluates a varying or grouped list once, however often the statement names it:
 *
 *     with "once" as materialized (select "t"."id", "t"."name" from "chances" as "t" where …)
 *     select * from (select … from "once" as "t" …) as "s"
 */
export function evaluatedOnce<Clauses extends Pick<PageClauses, 'from' | 'where'>>(
  { list, needed }: Evaluated,
  clauses: Clauses,
  { reevaluatesColumns = false, evaluateOnce = inMaterialized }: Dialect,
): { readonly clauses: Clauses; readonly complete: Complete } {
  if (!isEvaluatedOnce(list))
    return {
      clauses,
      complete: (statement, ...made) =>
        made.length === 0 ? statement : evaluateOnce(statement, made),
    };
  const { from, where } = clauses;
  const name = freeName('once', list);
  const [within, outside] = reevaluatesColumns ? [sql``, where] : [where, sql``];
  const columns = [...new Set(needed.map(({ column }) => column))];
  const selected = sql.join(columns.map((column) => columnOf({ column })));
  return {
    clauses: { ...clauses, from: listedAs(name), counted: listedAs(name), where: outside },
    complete: (statement, ...made) => {
      const once = { name, rows: sql`select ${selected} from ${from}${within}` };
      return evaluateOnce(statement, [once, ...made]);
    },
  };
}

function inMaterialized(statement: Expression, lists: readonly EvaluatedList[]): Expression {
  const evaluated = lists.map(({ name, rows }) => sql`${name} as materialized (${rows})`);
  return sql`with ${sql.join(evaluated)}
      select * from (${statement}) as ${sql.id('s')}`;
}

/** A name that no relation of the list has, in any case: a `with` hides the table of its name. */
export function freeName(
  wanted: string,
  { relations, models }: Pick<ListRows, 'relations' | 'models'>,
): Expression {
  const taken = new Set(relations.flat().map((name) => name.toLowerCase()));
  const texts = models.flatMap(textsOf).join(' ').toLowerCase();
  let name = wanted;
  while (taken.has(name) || texts.includes(name)) name += '_';
  return sql.id(name);
}

/** Of the operator, who may name any relation. */
function textsOf({ selection, columns }: Model): string[] {
  const computed = [...columns.values()].flatMap((column) => column.computed?.sql ?? []);
  return [...(selection === undefined ? [] : [selection.sql]), ...computed];
}
