import { describe, expect, it } from 'vitest';

import { COSTS } from './costs.ts';
import { type Outcome, Simulation } from './simulation.ts';
import type { System } from './system.ts';

const SYSTEM: System = {
  processes: 1,
  databases: 1,
  coresOfDatabase: 1,
  rows: 1e7,
  lists: 100,
  firstPages: 1,
  requestsPerSecond: 1000,
  writesPerSecond: 0,
  keptReplies: 1000,
  indexKeys: 50_000,
  costs: COSTS,
};

function simulated(changes: Partial<System>, seconds = 4): Outcome {
  return new Simulation({ ...SYSTEM, ...changes }, 1).run(seconds);
}

describe('a simulated service', () => {
  it('answers every request, and the same ones for the same seed', () => {
    const [once, again] = [simulated({}), simulated({})];
    expect(once.latencies.total).toBe(once.requests);
    expect(again.latencies.counts).toEqual(once.latencies.counts);
  });

  it('takes as long as the parts of a request when nobody else asks', () => {
    const { latencies } = simulated({ requestsPerSecond: 1, firstPages: 0 }, 1000);
    const { request, roundTrip, seek, skip, read } = COSTS;
    const shortest = request + roundTrip + seek + read;
    const halfOfTheStep = (skip * 200) / 2;
    expect(latencies.quantile(0.5)).toBeCloseTo((shortest + halfOfTheStep) / 1000, 1);
  });

  it('keeps as many cores busy as requests and their costs say', () => {
    const { busyCores } = simulated({ firstPages: 0, requestsPerSecond: 2000 }, 20);
    expect(busyCores.service).toBeCloseTo(2000 * (COSTS.request + COSTS.read) * 1e-6, 1);
    expect(busyCores.database).toBeCloseTo(2000 * (COSTS.seek + COSTS.skip * 100) * 1e-6, 1);
  });

  it('waits in its queue as long as theory says of one processor and equal pieces of work', () => {
    // Pollaczek and Khinchine: load / (2 (1 − load)) pieces of work on average.
    const costs = { ...COSTS, request: 800, read: 0, seek: 0, check: 0, skip: 0, roundTrip: 0 };
    const { latencies } = simulated({ costs }, 200);
    const mean = [...latencies.counts].reduce(
      (sum, [bucket, count]) => sum + (0.001 * 1.01 ** bucket * count) / latencies.total,
      0,
    );
    expect(mean / 0.8).toBeGreaterThan(2.7);
    expect(mean / 0.8).toBeLessThan(3.3);
  });

  it('reads each page once while nothing is written, and checks together what waits', () => {
    const { kept, readsPerRequest, requests, checksPerSecond } = simulated({});
    expect(kept).toBeGreaterThan(0.9);
    expect(readsPerRequest * requests).toBeLessThanOrEqual(110);
    expect(checksPerSecond).toBeLessThan(1000);
  });

  it('reads again what a commit has ended', () => {
    const { kept } = simulated({ writesPerSecond: 10_000 });
    expect(kept).toBeLessThan(0.1);
  });

  it('shares one read among equal requests that come meanwhile', () => {
    const { readsPerRequest } = simulated({
      lists: 1,
      writesPerSecond: 10_000,
      costs: { ...COSTS, seek: 20_000 },
    });
    expect(readsPerRequest).toBeLessThan(0.2);
  });

  it('passes over more rows where a list is longer than its page index has keys', () => {
    const costs = { ...COSTS, skip: 1 };
    const { busyCores } = simulated(
      { costs, firstPages: 0, rows: 1e10, requestsPerSecond: 1 },
      1000,
    );
    expect(busyCores.database).toBeGreaterThan(0.08);
    expect(busyCores.database).toBeLessThan(0.12);
  });
});
