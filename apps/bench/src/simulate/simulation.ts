import TinyQueue from 'tinyqueue';

import { Latencies } from '../latencies.ts';
import { nextGap, type Random, seededRandom, zipfPicker } from './random.ts';
import { type PageKey, ServiceProcess, type Waiting } from './service-process.ts';
import { Station } from './station.ts';
import { stepOf, type System } from './system.ts';

/** What came out of a simulation. */
export interface Outcome {
  readonly requests: number;
  readonly latencies: Latencies;
  /** The share of requests that a kept reply answered. */
  readonly kept: number;
  /** The share of reads that more than one request shared. */
  readonly readsPerRequest: number;
  readonly checksPerSecond: number;
  /** How many cores of all processes, and of all databases, were busy on average. */
  readonly busyCores: { readonly service: number; readonly database: number };
}

interface Event {
  readonly time: number;
  readonly run: () => void;
}

const SECOND = 1_000_000;

/**
 * Plays requests against queues that stand for the processors of the service and of the database,
 * and follows the service's own rules: a kept reply is sent after a check of the version that began
 * after the request came, equal requests share a read, and a deep page passes over what lies
 * between it and the last key of the page index before it. Times are in microseconds.
 */
export class Simulation {
  readonly #system: System;
  readonly #random: Random;
  readonly #pickList: () => number;
  readonly #events = new TinyQueue<Event>([], (a, b) => a.time - b.time);
  readonly #processes: readonly ServiceProcess[];
  readonly #databases: readonly Station[];
  readonly #latencies = new Latencies();
  #now = 0;
  #requests = 0;
  #kept = 0;
  #reads = 0;
  #checks = 0;

  constructor(system: System, seed: number) {
    this.#system = system;
    this.#random = seededRandom(seed);
    this.#pickList = zipfPicker(this.#random, system.lists);
    const { processes, databases, coresOfDatabase, keptReplies } = system;
    this.#processes = Array.from({ length: processes }, () => new ServiceProcess(keptReplies));
    this.#databases = Array.from({ length: databases }, () => new Station(coresOfDatabase));
  }

  /** Lets callers come for so many seconds, and answers all of them. */
  run(seconds: number): Outcome {
    this.#arrive(seconds * SECOND);
    for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
      this.#now = event.time;
      event.run();
    }
    const cores = (stations: readonly Station[]): number =>
      stations.reduce((sum, { busy }) => sum + busy, 0) / (seconds * SECOND);
    return {
      requests: this.#requests,
      latencies: this.#latencies,
      kept: this.#kept / this.#requests,
      readsPerRequest: this.#reads / this.#requests,
      checksPerSecond: this.#checks / seconds,
      busyCores: {
        service: cores(this.#processes.map(({ cpu }) => cpu)),
        database: cores(this.#databases),
      },
    };
  }

  #at(time: number, run: () => void): void {
    this.#events.push({ time, run });
  }

  /** The next request, and all after it up to the end. */
  #arrive(end: number): void {
    const time = this.#now + nextGap(this.#random, this.#system.requestsPerSecond / SECOND);
    if (time > end) return;
    this.#at(time, () => {
      this.#requests += 1;
      const process = pick(this.#random, this.#processes);
      const [came, key] = [this.#now, this.#pickPage()];
      this.#at(process.cpu.work(came, this.#system.costs.request), () => {
        if (process.replies.has(key)) this.#check(process, { key, came });
        else this.#read(process, key, [came]);
      });
      this.#arrive(end);
    });
  }

  #pickPage(): PageKey {
    const { firstPages, rows } = this.#system;
    const list = this.#pickList();
    const page = this.#random() < firstPages ? 0 : Math.floor(this.#random() * rows);
    return `${list} ${page}`;
  }

  /** The number of commits so far, which is the version of the data. */
  #version(): number {
    return Math.floor((this.#now / SECOND) * this.#system.writesPerSecond);
  }

  #check(process: ServiceProcess, waiting: { key: PageKey; came: number }): void {
    if (process.checks === undefined) {
      process.checks = [waiting];
      this.#beginCheck(process);
    } else {
      process.checks.push(waiting);
    }
  }

  #beginCheck(process: ServiceProcess): void {
    const waiting = process.checks ?? [];
    if (waiting.length === 0) {
      process.checks = undefined;
      return;
    }
    process.checks = [];
    this.#checks += 1;
    this.#ask(this.#system.costs.check, (version) => {
      for (const { key, came } of waiting) {
        if (process.replies.get(key) === version) {
          this.#kept += 1;
          this.#answer([came]);
        } else {
          this.#read(process, key, [came]);
        }
      }
      this.#beginCheck(process);
    });
  }

  #read(process: ServiceProcess, key: PageKey, waiting: Waiting): void {
    const next = process.reads.get(key);
    if (next !== undefined) {
      next.push(...waiting);
      return;
    }
    process.reads.set(key, []);
    this.#reads += 1;
    this.#ask(this.#readCost(key), (version) => {
      process.replies.set(key, version);
      this.#at(process.cpu.work(this.#now, this.#system.costs.read), () => this.#answer(waiting));
      const later = process.reads.get(key) ?? [];
      process.reads.delete(key);
      if (later.length > 0) this.#read(process, key, later);
    });
  }

  #readCost(key: PageKey): number {
    const { seek, skip } = this.#system.costs;
    const passedOver = key.endsWith(' 0') ? 0 : this.#random() * stepOf(this.#system);
    return seek + skip * passedOver;
  }

  /** A statement to one of the databases, which sees the version at which it begins. */
  #ask(cost: number, then: (version: number) => void): void {
    const half = this.#system.costs.roundTrip / 2;
    this.#at(this.#now + half, () => {
      const version = this.#version();
      const done = pick(this.#random, this.#databases).work(this.#now, cost);
      this.#at(done + half, () => then(version));
    });
  }

  #answer(waiting: Waiting): void {
    for (const came of waiting) this.#latencies.record((this.#now - came) / 1000);
  }
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick from.');
  return item;
}
