import { FailedError, UsageError } from '@proj/cli/command-line';
import type { ModelEntry } from '@proj/client';
import { API_PATHS, catalogueSchema, MAX_ATTRIBUTES } from '@proj/contract';

import { membersOf } from './json.ts';
import type { Send } from './send.ts';
import { type Selection, Subject } from './subject.ts';

/** What the caller says about the model. */
export interface Wanted {
  readonly model?: string | undefined;
  readonly attributes?: readonly string[] | undefined;
  readonly hiddenModel?: string | undefined;
  readonly hiddenAttribute?: string | undefined;
}

/** How many models are looked at. */
const MOST_MODELS = 20;

/**
 * Chooses the model that lets most rules be tried, unless the caller names one.
 *
 * @throws {UsageError} when the server has no catalogue and the caller did not say enough.
 * @throws {FailedError} when no model of the catalogue can be read.
 */
export async function select(send: Send, wanted: Wanted): Promise<Selection> {
  const entries = await readCatalogue(send);
  const { model } = wanted;
  if (model !== undefined) {
    const entry = entries.find(({ name }) => name === model);
    const chosen = selectionOf(model, entry, wanted);
    if (chosen.attributes.length > 0) return chosen;
    throw new UsageError(
      `the server's catalogue does not name ${model}. Name some of its attributes with ` +
        '--attributes.',
    );
  }
  if (entries.length === 0)
    throw new UsageError(
      'the server has no catalogue. Name a model with --model, and its --attributes.',
    );
  const selections = entries.map((entry) => selectionOf(entry.name, entry, wanted));
  return bestOf(send, selections.slice(0, MOST_MODELS));
}

/** What is asked about a model. */
export function selectionOf(
  model: string,
  entry: ModelEntry | undefined,
  { attributes, hiddenModel, hiddenAttribute }: Wanted = {},
): Selection {
  const names = attributes ?? entry?.attributes.map(({ name }) => name) ?? [];
  const selected = names.slice(0, MAX_ATTRIBUTES);
  return { model, attributes: selected, entry, hiddenModel, hiddenAttribute };
}

/**
 * The models of the catalogue. What is wrong with it is found by its own rules; here it counts as
 * none.
 */
export async function readCatalogue(send: Send): Promise<readonly ModelEntry[]> {
  const { json } = await send({ path: API_PATHS.models });
  const { models } = membersOf(json);
  const entries = Array.isArray(models) ? models : [];
  return entries.flatMap(
    (entry) => catalogueSchema.safeParse({ models: [entry] }).data?.models ?? [],
  );
}

async function bestOf(send: Send, selections: readonly Selection[]): Promise<Selection> {
  const scored = await Promise.all(
    selections.map(async (selection) => ({ selection, score: await score(send, selection) })),
  );
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  if (best !== undefined && best.score >= 0) return best.selection;
  throw new FailedError(
    'no model of the catalogue can be read. Query one of them, or name another with --model.',
  );
}

/**
 * Many kinds of attributes, NULL, and enough records for several pages; not so many that counting
 * takes long.
 */
async function score(send: Send, selection: Selection): Promise<number> {
  const total = await new Subject(send, selection).count().catch(() => -1n);
  if (total < 0n) return -1;
  const attributes = selection.entry?.attributes ?? [];
  const kinds = new Set(attributes.map(({ type }) => type)).size;
  const nullable = attributes.some((attribute) => attribute.nullable) ? 5 : 0;
  return Number(total < 50n ? total : 50n) + kinds * 3 + nullable - (total > 50_000n ? 10 : 0);
}
