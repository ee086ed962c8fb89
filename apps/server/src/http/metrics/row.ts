import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

type Figures = number | Iterable<readonly [labels: Labels, figure: number]> | undefined;

interface RowOptions {
  /** Default: none. */
  readonly labels?: readonly string[];
  /** How to merge the figures of workers. Default: their sum. */
  readonly ofWorkers?: Aggregator;
}

/** A counter if its name ends in `_total`; read when metrics are. */
export type Row<Of> = readonly [
  name: string,
  help: string,
  read: (of: Of) => Figures | Promise<Figures>,
  options?: RowOptions,
];

/** Adds missing rows. @param each sources, with labels that distinguish them */
export function addRows<Of>(
  registry: Registry,
  rows: readonly Row<Of>[],
  each: () => readonly (readonly [of: Of, labels: Labels])[],
): void {
  const added = rows.filter(([name]) => registry.getSingleMetric(name) === undefined);
  for (const [name, help, read, { labels = [], ofWorkers = 'sum' } = {}] of added) {
    const Metric = name.endsWith('_total') ? Counter : Gauge;
    registry.registerMetric(
      new Metric({
        name,
        help,
        aggregator: ofWorkers,
        labelNames: [...labels, 'database'],
        registers: [],
        async collect(this: Counter | Gauge) {
          const found = each().map(async ([of, own]) => [await read(of), own] as const);
          const all = await Promise.all(found);
          this.reset();
          for (const [figures, own] of all)
            for (const [its, figure] of setsOf(figures)) this.inc({ ...its, ...own }, figure);
        },
      }),
    );
  }
}

function setsOf(figures: Figures): Iterable<readonly [Labels, number]> {
  return typeof figures === 'number' ? [[{}, figures]] : (figures ?? []);
}

export function labelled(
  label: string,
  figures: Iterable<readonly [value: string, figure: number]>,
): (readonly [Record<string, string>, number])[] {
  return Array.from(figures, ([value, figure]) => [{ [label]: value }, figure]);
}
