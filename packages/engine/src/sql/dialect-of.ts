import { relationsOf } from '../catalogue/model.ts';
import type { ListRows } from '../planning/list-rows.ts';
import type { Dialect } from './dialect.ts';

/** Versions of this dialect hold only while the relations keep their definitions. */
export function dialectOf({ rows, models, facts }: ListRows, dialect: Dialect): Dialect {
  const isDefined = facts.versioned && facts.varies === undefined;
  const defined = isDefined ? whileDefined(models, dialect) : dialect;
  if (rows.kind === 'table') return defined;
  // A page of groups takes all of them, so that no key leads to it sooner.
  const { keys: _, ...others } = defined;
  return others;
}

function whileDefined(models: ListRows['models'], dialect: Dialect): Dialect {
  const defined = models
    .flatMap(relationsOf)
    .flatMap(({ path, definition }) => (definition === undefined ? [] : [{ path, definition }]));
  return defined.length === 0 ? dialect : (dialect.whileDefined?.(defined) ?? dialect);
}
