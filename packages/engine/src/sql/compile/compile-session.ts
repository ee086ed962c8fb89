import { sql } from 'kysely';

import type { DatabaseSession } from '../../catalogue/database-session.ts';
import { accessOf, type Model, relationsOf } from '../../catalogue/model.ts';
import type { RelationPath } from '../../catalogue/relation.ts';
import type { ListRows } from '../../planning/list-rows.ts';
import type { Dialect } from '../dialect.ts';
import type { ShownBy, StatementSession } from '../statement.ts';
import { compile } from './compile.ts';

export function callersDialectOf(list: ListRows, dialect: Dialect): Dialect {
  const session = compileSession(list, dialect);
  const { mayCall } = list.facts;
  const ofList = { ...dialectOf(list, dialect), ...(mayCall && { mayCall }) };
  return session === undefined ? ofList : { ...ofList, session };
}

/** Undefined for the service reading one server. */
function compileSession(
  { models, session, facts }: ListRows,
  dialect: Dialect,
): StatementSession | undefined {
  const cut = models.flatMap((model) => model.cut ?? []);
  if (session === undefined) return cut.length === 0 ? undefined : { ...OF_SERVICE, cut };
  const { role, settings } = session;
  const locked = new Map(
    models
      .flatMap((model) => lockedWith(model, session))
      .map((path) => [JSON.stringify(path), sql.id(...path)]),
  );
  const lock = locked.size === 0 ? undefined : dialect.lock?.([...locked.values()]);
  const access = models.flatMap((model) => accessOf(model, session) ?? []);
  return {
    role,
    settings,
    lock: lock && compile(lock, dialect),
    endsWithVersion: access.some(({ definition }) => definition !== undefined),
    calls: [...new Set(access.flatMap(({ calls = [] }) => calls))].toSorted(),
    readsUnlocked: access.some(
      ({ calls = [], readsUnlocked }) => readsUnlocked === true || calls.length > 0,
    ),
    cut,
    ...(facts.followable !== undefined && { shownBy: shownBy(models, session) }),
  };
}

function shownBy(models: readonly Model[], session: DatabaseSession): ShownBy {
  const [access] = models.flatMap((model) => accessOf(model, session) ?? []);
  const { definition, decidesBy = [] } = access ?? {};
  const settings = Object.entries(session.settings).filter(([name]) =>
    decidesBy.includes(name.toLowerCase()),
  );
  return { definition, settings: Object.fromEntries(settings) };
}

const OF_SERVICE: Omit<StatementSession, 'cut'> = {
  role: undefined,
  settings: {},
  lock: undefined,
  endsWithVersion: false,
  calls: [],
  readsUnlocked: false,
};

function lockedWith(model: Model, session: DatabaseSession): readonly RelationPath[] {
  const { snapshots, varies } = model;
  const isLockable = snapshots || varies?.inTransaction === true;
  return [
    ...(isLockable ? relationsOf(model).map(({ path }) => path) : []),
    ...(accessOf(model, session)?.policyTables ?? []),
  ];
}

/** Versions of this dialect hold only while the relations keep their definitions. */
function dialectOf({ rows, models, facts }: ListRows, dialect: Dialect): Dialect {
  const isDefined = facts.versioned && facts.varies === undefined;
  const defined = (isDefined ? models : [])
    .flatMap(relationsOf)
    .flatMap(({ path, definition }) => (definition === undefined ? [] : [{ path, definition }]));
  const own = (defined.length > 0 ? dialect.whileDefined?.(defined) : undefined) ?? dialect;
  if (rows.kind === 'table') return own;
  // A page of groups takes all of them, so that no key leads to it sooner.
  const { keys: _, ...others } = own;
  return others;
}
