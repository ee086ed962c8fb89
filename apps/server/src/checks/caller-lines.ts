import { nameText, nameTexts } from '@proj/contract';
import { type Engine, type Grant, type Model, QueryFailedError } from '@proj/engine';
import { HttpProblem } from '@proj/fastify/host';
import { type Claims, makeGrant } from '@proj/fastify/settings';
import * as z from 'zod';

import { UsageError } from '../settings/file/usage-error.ts';
import type { Settings } from '../settings/schema.ts';
import { sessionProblems } from './database-sessions.ts';

export interface AskingCaller {
  readonly role: string;
  /** JSON text. */
  readonly claims: string;
}

type Asked = Pick<Engine, 'catalogue' | 'query' | 'sessionProblems'>;

/**
 * For each model that a caller may read: how many records the caller sees, and whether reads are
 * cached; then what makes reading slow.
 *
 * @throws {UsageError} where there is no such role, or the claims are no JSON object
 */
export async function callerLines(
  engine: Asked,
  { roles }: Pick<Settings, 'roles'>,
  { role: name, claims }: AskingCaller,
): Promise<string[]> {
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
  if (role === undefined) {
    const names = nameTexts(Object.keys(roles)) || 'none';
    throw new UsageError(`--role: there is no role ${nameText(name)}. There are: ${names}.`);
  }
  const { catalogue } = engine;
  const lines: string[] = [];
  try {
    const grant = makeGrant({ role: name, claims: parsedClaims(claims) }, roles, catalogue);
    for (const model of catalogue.values())
      if (grant.models === 'all' || grant.models.has(model.name))
        lines.push(await modelLine(model, grant, engine));
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    lines.push(`refused: ${error.code}: ${error.message}`);
  }
  const problems = await sessionProblems({ engine, catalogue }, role);
  const hints = problems.filter(({ kind }) => kind === 'hint');
  return [
    ...lines.map((line) => `as ${nameText(name)}: ${line}`),
    ...hints.map(({ problem, remedy }) => `slow: ${problem} ${remedy}`),
  ];
}

function parsedClaims(text: string): Claims {
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(`--claims: expected an object as JSON, such as '{"tenant":"a"}'.`, {
      cause: error,
    });
  }
}

async function modelLine(model: Model, grant: Grant, engine: Asked): Promise<string> {
  const { name } = model;
  const body = {
    query_model: name,
    query_attributes: [attributeOf(model, grant)],
    page: { page: 1, size: 1 },
  };
  try {
    const { page, version } = await engine.query(body, grant);
    const { decidesBy } = accessOf(model, grant) ?? {};
    const current =
      decidesBy === undefined ? KEPT : `${KEPT}, and with \`follow\` while others write`;
    const kept =
      version === undefined ? `nothing is kept: ${whyUnversioned(model, grant)}` : current;
    return `${nameText(name)}: records: ${page.total ?? ''}; ${kept}`;
  } catch (error) {
    if (!(error instanceof QueryFailedError)) throw error;
    return `${nameText(name)}: refused: ${error.code}: ${error.message}`;
  }
}

const KEPT = 'kept by its version';

function accessOf(
  { roles }: Model,
  { session }: Grant,
): NonNullable<Model['roles']>[number] | undefined {
  return roles?.find(({ role }) => role === session?.role);
}

function whyUnversioned(model: Model, grant: Grant): string {
  const access = accessOf(model, grant);
  const { unversioned = 'it was changed, or the data was, while it was read' } = {
    ...model,
    ...access,
  };
  return unversioned;
}

function attributeOf({ name, attributes }: Model, { models }: Grant): string | undefined {
  const granted = models === 'all' ? 'all' : (models.get(name)?.attributes ?? 'all');
  return [...attributes.keys()].find((one) => granted === 'all' || granted.has(one));
}
