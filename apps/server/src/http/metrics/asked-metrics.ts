import { Counter, Gauge } from 'prom-client';

/** A number that is asked for when the metrics are. */
interface Figure {
  readonly help: string;
  readonly read: () => number;
}

/** A number that goes up and down. */
export function gauge(name: string, { help, read }: Figure): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
}

/** A number that only goes up. */
export function counter(name: string, { help, read }: Figure): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
