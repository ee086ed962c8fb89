import { nameTexts } from '@proj/contract';

import { noRelation } from './build-model.ts';
import type { DescribedSelection } from '../described-column.ts';
import type { ModelError, ModelSettings } from '../model-settings.ts';
import type { Relation } from '../relation.ts';

interface SelectionParts {
  readonly name: string;
  readonly model: ModelSettings;
  readonly relations: readonly Relation[];
  readonly described: DescribedSelection;
}

export function selectionRelation(parts: SelectionParts): Relation | ModelError {
  const { name, model, relations, described } = parts;
  const { source, reads } = model;
  if (source !== undefined) return TWO_SOURCES;
  if ('problem' in described) return { path: ['sql'], ...described };
  const { sql, unversioned, ...columns } = described;
  const read = relations.filter((one) => reads?.includes(one.name));
  const unknown = reads?.filter((wanted) => relations.every((one) => one.name !== wanted)) ?? [];
  if (unknown.length > 0) return { path: ['reads'], ...noRelation(nameTexts(unknown), relations) };
  const unread = reads === undefined ? [] : namedIn(sql, relations, reads);
  if (unread.length > 0) {
    const problem = `It also selects from ${nameTexts(unread)}.`;
    const remedy = 'Name all relations that it reads, or leave `reads` out: no version then.';
    return { path: ['reads'], problem, remedy };
  }
  const [distributed] = read.flatMap((one) => one.distributed ?? []);
  return {
    path: [],
    name,
    kind: 'view',
    ...columns,
    keys: [],
    description: null,
    ...stabilityOf(reads === undefined ? UNSAID : (unversioned ?? whyUnversioned(read))),
    ...(distributed !== undefined && { distributed }),
    selection: { sql, reads: reads && read },
  };
}

function stabilityOf(
  why: string | undefined,
): Pick<Relation, 'snapshots' | 'versioned' | 'unversioned'> {
  if (why !== undefined) return { snapshots: false, versioned: false, unversioned: why };
  return { snapshots: true, versioned: true };
}

function whyUnversioned(read: readonly Relation[]): string | undefined {
  const found = read.find((one) => {
    const { snapshots, versioned, varies, cut } = one;
    return snapshots !== true || versioned !== true || varies === true || cut !== undefined;
  });
  return found && `it reads ${found.name}, which has none`;
}

const UNSAID = 'the settings do not say which relations alone it reads (`reads`)';

function namedIn(sql: string, relations: readonly Relation[], known: readonly string[]): string[] {
  const words = [...sql.matchAll(SOURCE)].map(([, , name = '']) => name.toLowerCase());
  return relations.flatMap(({ name, path }) => {
    const isNamed = words.includes(path.at(-1)?.toLowerCase() ?? '');
    return isNamed && !known.includes(name) ? name : [];
  });
}

/** A name behind `from`, `join` or a comma, without quotes. */
const SOURCE =
  /(?:\b(?:from|join)|,)[\s(]*(["`[]?[\w$\u0080-\uffff]+["`\]]?\.)*["`[]?([\w$\u0080-\uffff]+)/giu;

const TWO_SOURCES: ModelError = {
  path: ['source'],
  problem: 'The model has both a source and a selection of its own.',
  remedy: 'Leave one of them out.',
};
