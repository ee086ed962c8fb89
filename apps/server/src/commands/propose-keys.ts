import { Document, YAMLMap } from 'yaml';

import { type KeyProposal, proposeKeys } from '../checks/propose-keys.ts';
import { listOf } from '../checks/report-lines.ts';
import { databasesOf } from '../settings/databases.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { withoutReferences } from '../settings/file/references.ts';

export interface ProposeOptions {
  readonly proposeKeys?: boolean;
  /** Whether each relation without one has a line of its own. */
  readonly verbose?: boolean;
  /** For all databases together. */
  readonly seconds: number;
}

const HEADER = [
  ' Found in the data: no two rows have the same values there now, and none is NULL.',
  ' The database does not promise it, so writers may break such a key: pages would repeat and',
  ' lose records. Have someone confirm each who knows the data, then copy it into the settings.',
].join('\n');

/** Prints settings with a key that the data has, for each relation without one. */
export async function proposeKeysOf(
  loaded: LoadedSettings,
  { verbose = false, seconds }: ProposeOptions,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const document = new Document({});
  document.commentBefore = HEADER;
  const comments: string[] = [];
  for (const { name, settings } of databasesOf(loaded)) {
    const proposals = await proposeKeys(settings, end - performance.now());
    const models = modelsNode(proposals, document);
    const place = name === undefined ? ['models'] : ['databases', name, 'models'];
    if (models.items.length > 0) document.setIn(place, models);
    const prefix = name === undefined ? '' : `${name}: `;
    comments.push(...reasonLines(proposals, verbose).map((line) => ` ${prefix}${line}`));
  }
  document.comment = comments.join('\n');
  const isEmpty = !document.has('models') && !document.has('databases');
  process.stdout.write(isEmpty ? nothingFound(comments) : document.toString({ lineWidth: 0 }));
}

function modelsNode(proposals: readonly KeyProposal[], document: Document): YAMLMap {
  const models = new YAMLMap();
  for (const { model, isListed, found } of proposals) {
    if (found === undefined) continue;
    const key = document.createNode(found.key.map(withoutReferences), { flow: true });
    key.comment = ` unique in ${found.rows} rows`;
    const node = new YAMLMap();
    node.set('key', key);
    if (!isListed) node.set('attributes', 'all');
    models.set(model, node);
  }
  return models;
}

/** @param verbose one line a relation, instead of a reason */
function reasonLines(proposals: readonly KeyProposal[], verbose: boolean): string[] {
  const without = proposals.filter(({ found }) => found === undefined);
  const groups = Map.groupBy(without, ({ model, why }) => (verbose ? model : why));
  return [...groups.values()].map(
    (group) => `${listOf(group.map(({ model }) => model))}: ${group[0]?.why ?? ''}.`,
  );
}

function nothingFound(comments: readonly string[]): string {
  const first = comments.length === 0 ? ' Every relation has a key.' : ' No key was found.';
  return [first, ...comments].map((line) => `#${line}\n`).join('');
}
