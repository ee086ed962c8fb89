import type { Attribute } from '../catalogue/model.ts';
import { waitOrAbort } from '../deadline.ts';
import type { ExportCall, ExportedColumn, ExportedList, ExportSink } from '../engine-types.ts';
import { QueryFailedError } from '../errors.ts';
import type { PublishedVersions } from '../reading/sharing/data-version.ts';
import type { ListBeginning, ListSink } from '../sources/reads/whole-list.ts';
import type { ReadCall, Source } from '../sources/source.ts';
import { deprecationsOf, type EngineRequest, planTimed } from './answer.ts';
import type { Serving } from './served-catalogue.ts';

/** Across attempts, `begin` is called once, and as many records must follow as announced. */
export class CheckedSink {
  readonly #sink: ExportSink;
  #total: bigint | undefined;
  #records = 0n;
  #failure: { readonly error: unknown } | undefined;

  constructor(sink: ExportSink) {
    this.#sink = sink;
  }

  get isBegun(): boolean {
    return this.#total !== undefined;
  }

  listSink(describe: (beginning: ListBeginning) => ExportedList, signal: AbortSignal): ListSink {
    return {
      begin: (beginning) =>
        this.#noting(async () => {
          if (this.isBegun) throw cut('It was begun before.');
          this.#total = beginning.total;
          await waitOrAbort(this.#sink.begin(describe(beginning)), signal);
        }),
      write: (lines) =>
        this.#noting(async () => {
          this.#records += BigInt(lines.records);
          if (this.#records > (this.#total ?? 0n))
            throw cut(`It has more than the ${this.#total} records that were counted.`);
          await waitOrAbort(this.#sink.write(lines), signal);
        }),
    };
  }

  demandWhole(): void {
    if (this.#records !== this.#total)
      throw cut(`It has ${this.#records} records in place of ${this.#total}.`);
  }

  explained(error: unknown): unknown {
    return this.#failure === undefined ? error : this.#failure.error;
  }

  async #noting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

function cut(reason: string): QueryFailedError {
  return new QueryFailedError('database_unavailable', `The export cannot go on: ${reason}`);
}

interface ExportAttempt extends EngineRequest, Pick<ExportCall, 'isTyped'> {
  readonly serving: Serving;
  readonly source: Source;
  readonly published: PublishedVersions;
  readonly sink: CheckedSink;
}

export async function exportList(
  { serving, source, published, body, grant, sink, isTyped }: ExportAttempt,
  call: ReadCall,
): Promise<void> {
  const { prepared, planMs } = planTimed(() => {
    const made = serving.preparer.prepareExport(body, grant);
    return { ...made, list: made.query.plan };
  });
  const { query, csv, list: plan } = prepared;
  const plannedAt = performance.now();
  const describe = ({ total, version, misfit = 0n }: ListBeginning): ExportedList => ({
    total,
    version: published(plan.facts.versioned ? version : undefined),
    milliseconds: { plan: planMs, count: performance.now() - plannedAt },
    misfit: plan.attributes[Number(misfit) - 1]?.name,
    csv,
    model: plan.name,
    models: plan.models.map(({ name }) => name),
    columns: plan.attributes.map(exportedColumn),
    deprecations: deprecationsOf(plan),
    approximate: plan.facts.approximate,
  });
  const target = sink.listSink(describe, call.signal);
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
