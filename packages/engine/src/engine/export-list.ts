import type { Attribute } from '../catalogue/model.ts';
import type { ExportCall, ExportedColumn } from '../engine-types.ts';
import { QueryFailedError } from '../errors.ts';
import type { PublishedVersion } from '../reading/sharing/data-version.ts';
import type { ReadCall, Source } from '../sources/source.ts';
import { deprecationsOf, type EngineRequest, planTimed } from './answer-kind.ts';
import type { CheckedSink } from './checked-sink.ts';
import type { Serving } from './served-catalogue.ts';

interface ExportPlace {
  readonly serving: Serving;
  readonly source: Source;
  readonly published: PublishedVersion;
}

interface ExportAttempt extends EngineRequest, Pick<ExportCall, 'isTyped'> {
  readonly sink: CheckedSink;
}

export async function exportList(
  { serving, source, published }: ExportPlace,
  { body, grant, sink, isTyped }: ExportAttempt,
  call: ReadCall,
): Promise<void> {
  const { prepared, planMs } = planTimed(
    () => serving.preparer.prepareExport(body, grant),
    (made) => made.query.plan,
  );
  const { query, csv } = prepared;
  const { plan } = query;
  const plannedAt = performance.now();
  const target = sink.listSink({
    signal: call.signal,
    describe: ({ total, version, misfit = 0n }) => ({
      total,
      version: published.of(version),
      milliseconds: { plan: planMs, count: performance.now() - plannedAt },
      misfit: plan.attributes[Number(misfit) - 1]?.name,
      csv,
      model: plan.name,
      models: plan.models.map(({ name }) => name),
      columns: plan.attributes.map(exportedColumn),
      deprecations: deprecationsOf(plan),
      approximate: plan.facts.approximate,
    }),
  });
  const list =
    isTyped === undefined
      ? query.wholeList
      : query.typedList((attribute) => isTyped(exportedColumn(attribute)));
  try {
    await source.list(list, target, call);
    sink.demandWhole();
  } catch (error) {
    throw sink.explained(error);
  }
}

const DIGITS = /^(?:numeric|decimal)\((\d+)(?:, *(-?\d+))?\)/;

function exportedColumn(attribute: Attribute): ExportedColumn {
  const { name, type, items, extremes, databaseType } = attribute;
  const [, precision, scale = '0'] = DIGITS.exec(databaseType) ?? [];
  // SQLite takes any number whatever the type says, and has no NaN.
  const isHeld = !extremes.includes('infinity') || extremes.includes('not_a_number');
  const decimal =
    type === 'decimal' && isHeld && precision !== undefined
      ? { precision: Number(precision), scale: Number(scale) }
      : undefined;
  return { name, type, items, extremes, decimal };
}

export function heldUpWrites(timeoutMs: number): QueryFailedError {
  return new QueryFailedError(
    'query_timeout',
    `The export took longer than ${timeoutMs} ms, the time of a query: the file has no ` +
      'write-ahead log, so nobody can write to it while an export runs. ' +
      'Run `pragma journal_mode = wal` in the database to give exports their own time.',
  );
}
