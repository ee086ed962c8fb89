import type { AskedSession, BuiltCatalogue, Engine, SessionProblem } from '@proj/engine';
import type { RoleSettings } from '@proj/fastify/settings';

import type { LoadedSettings } from '../settings/file/load.ts';
import { type Findings, together } from './findings.ts';
import { reportLines } from './report-lines.ts';

export interface SessionCheck {
  readonly engine: Pick<Engine, 'sessionProblems'>;
  readonly catalogue: BuiltCatalogue['catalogue'];
}

/** Checks that database policies hold for callers of roles with a `database_session`. */
export async function sessionFindings(
  { engine, catalogue }: SessionCheck,
  { settings: { roles }, place }: LoadedSettings,
): Promise<Findings> {
  const found: Findings[] = [];
  for (const [name, role] of Object.entries(roles)) {
    const problems = await sessionProblems({ engine, catalogue }, role);
    const linesOf = (kind: SessionProblem['kind']): string[] =>
      reportLines(
        problems
          .filter((problem) => problem.kind === kind)
          .map((problem) => ({ ...problem, path: pathOf(name, problem) })),
        place,
      );
    found.push({
      errors: linesOf('refusal'),
      notes: linesOf('warning').map((line) => `warning: ${line}`),
    });
  }
  return together(found);
}

export async function sessionProblems(
  { engine, catalogue }: SessionCheck,
  { models, database_session: session }: RoleSettings,
): Promise<readonly SessionProblem[]> {
  if (session === undefined) return [];
  return engine.sessionProblems({
    ...session,
    settings: Object.keys(session.settings),
    relations: relationsOf(models, catalogue),
    needsAll: models !== 'all',
  });
}

function relationsOf(
  models: RoleSettings['models'],
  catalogue: SessionCheck['catalogue'],
): AskedSession['relations'] {
  const names = models === 'all' ? [...catalogue.keys()] : Object.keys(models);
  return names.flatMap((name) => {
    const { path, selection } = catalogue.get(name) ?? {};
    if (selection !== undefined) return (selection.reads ?? []).map((read) => read.path);
    return path === undefined ? [] : [path];
  });
}

function pathOf(role: string, { setting }: SessionProblem): string[] {
  const session = ['roles', role, 'database_session'];
  return setting === undefined ? [...session, 'role'] : [...session, 'settings', setting];
}
