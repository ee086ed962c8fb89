import { isOperator, OPERATORS } from '@proj/contract';
import { type Catalogue, type CatalogueReport, type Model, rowPolicyErrors } from '@proj/engine';

import type { ModelGrantSettings, Roles } from '../settings/roles.ts';
import { namesClaim } from './row-claims.ts';

export type AccessSettingsError = Pick<CatalogueReport, 'path' | 'problem' | 'remedy'>;

export interface KnownModels {
  readonly catalogue: Catalogue;
  /** For a database that has not answered yet. */
  readonly mayHave?: (model: string) => boolean;
}

export function roleErrors(roles: Roles, known: KnownModels): AccessSettingsError[] {
  return Object.entries(roles).flatMap(([name, { models }]) =>
    Object.entries(models === 'all' ? {} : models).flatMap(([model, grant]) =>
      grantErrors(['roles', name, 'models', model], grant, known),
    ),
  );
}

type PlainError = Omit<AccessSettingsError, 'path'>;

function grantErrors(
  path: readonly string[],
  grant: ModelGrantSettings,
  { catalogue, mayHave }: KnownModels,
): AccessSettingsError[] {
  const name = path.at(-1) ?? '';
  const model = catalogue.get(name);
  if (model === undefined && mayHave?.(name) !== true) {
    const remedy = `There are: ${[...catalogue.keys()].join(', ') || 'none'}.`;
    return [{ path, problem: 'There is no such model.', remedy }];
  }
  return [
    ...(model === undefined ? [] : unknownAttributes(grant, model)).map((error) => ({
      path: [...path, 'attributes'],
      ...error,
    })),
    ...rowErrors(grant, model).map((error) => ({ path: [...path, 'rows'], ...error })),
  ];
}

function unknownAttributes({ attributes }: ModelGrantSettings, model: Model): PlainError[] {
  const names = attributes === 'all' ? [] : attributes;
  const remedy = `It has: ${[...model.attributes.keys()].join(', ')}.`;
  return names
    .filter((name) => !model.attributes.has(name))
    .map((name) => ({ problem: `The model has no attribute named "${name}".`, remedy }));
}

/** Errors of a row filter that show without the claims of a token. */
function rowErrors({ rows }: ModelGrantSettings, model: Model | undefined): PlainError[] {
  const filter = withListedClaims(rows);
  if (filter === undefined) return [];
  return rowPolicyErrors(filter, model)
    .filter(
      ({ code, pointer }) => code !== 'invalid_value' || !namesClaim(valueAt(filter, pointer)),
    )
    .map(({ pointer, detail }) => ({
      problem: detail.startsWith(pointer) ? detail : `${pointer}: ${detail}`,
      remedy: 'See docs/reference/operators.md.',
    }));
}

/** Replaces claims that stand for lists by a list, so that the rest can be checked. */
function withListedClaims(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withListedClaims);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([key, member]: [string, unknown]) => [key, withListedClaims(member)] as const,
  );
  const node: Record<string, unknown> = Object.fromEntries(members);
  const operator = String(node['op']);
  const listed = isOperator(operator) && ['list', 'pair'].includes(OPERATORS[operator].operand);
  return listed && namesClaim(node['value'])
    ? { ...node, value: [node['value'], node['value']] }
    : node;
}

function valueAt(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined,
    value,
  );
}
