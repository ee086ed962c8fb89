import type { Socket } from 'node:net';

import { API_PATHS } from '@proj/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { DATABASES, type FaultDatabase } from '../databases/fault-database.ts';
import { openFaultDatabase } from '../databases/open-fault-database.ts';
import { itemsPage } from '../support/ask.ts';
import { tokenOf } from '../support/handed-out-token.ts';
import { type Service, startService } from '../support/service.ts';
import { answeredBefore, BURST, openConnections, type RawRequest, textOf } from './burst.ts';
import { BusyCaller, type Repeated } from './busy-caller.ts';

/** How many queries of the other caller have to be answered. */
const QUERIES = Number(process.env['FAIRNESS_QUERIES'] ?? 50);

const [BUSY, MODEST] = [tokenOf('busy'), tokenOf('modest')];

const SETTINGS = {
  expose: 'all',
  roles: { reader: { models: 'all' } },
  tokens: [BUSY.entry, MODEST.entry],
  limits: { query_timeout_ms: 30_000 },
  rate_limits: { requests_per_minute: 'unlimited' },
};

/** So many values of a filter are 40 kB together. */
const MANY_VALUES = Array.from({ length: 1000 }, (_, index) => String(index).padStart(37, 'x'));

/** What a busy caller repeats: requests that are read again and again, and ones that are kept. */
const REPEATED: Readonly<Record<string, Repeated>> = {
  'pages that are never the same': {
    path: API_PATHS.query,
    body: (turn) =>
      itemsPage({ query_filter: { attribute: 'name', op: 'icontains', value: `m ${turn}x` } }),
  },
  'one small query': { path: API_PATHS.query, body: () => itemsPage() },
  'one query of 40 kB': {
    path: API_PATHS.query,
    body: () => itemsPage({ query_filter: { attribute: 'name', op: 'in', value: MANY_VALUES } }),
  },
  'one query whose reply it holds': {
    path: API_PATHS.query,
    body: () => itemsPage(),
    holdsReply: true,
  },
  'a query for the catalogue': { path: API_PATHS.models },
  'a query for facets': {
    path: API_PATHS.facets,
    body: () => ({ query_model: 'items', query_facets: [{ attribute: 'name', values: 20 }] }),
  },
};

/**
 * Without turns it is three quarters or all of them. What begins in one slice, however fast the
 * machine is, and in the next ones, while a request takes its two turns, is far less.
 */
const MOST_BEFORE = BURST / 4;

/**
 * It needs no database: while one is slow, any number of requests that do not read are answered
 * before a query, so that there is no bound for queries that holds on every machine.
 */
const MODEST_REQUEST: RawRequest = { path: `${API_PATHS.models}/items`, token: MODEST.token };
const MODEST_ROUTE = `/${API_PATHS.models}/:name`;

/** What fills a burst: the service answers all or most of it without a database. */
const BURSTS: Readonly<Record<string, RawRequest>> = {
  'for the catalogue': { path: API_PATHS.models, token: BUSY.token },
  'queries, most of them refused as too many at once': {
    path: API_PATHS.query,
    token: BUSY.token,
    body: itemsPage(),
  },
};

describe.each(DATABASES)('a service over $title', ({ name }) => {
  let database: FaultDatabase;
  let service: Service;
  beforeAll(async () => {
    database = await openFaultDatabase(name);
    service = await startService({ database: database.url, settings: SETTINGS });
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
  });

  it.each(Object.entries(REPEATED))(
    'answers every query of a caller while another one repeats %s over 64 connections',
    async (_what, repeated) => {
      const busy = await BusyCaller.start(repeated, service.origin, BUSY.token);
      onTestFinished(() => busy.stop());
      await busy.answeredMore();
      for (let turn = 0; turn < QUERIES; turn += 1) {
        const page = { page: 1 + (turn % 100), size: 5 };
        const { status, text } = await service.ask(itemsPage({ page }), { token: MODEST.token });
        expect([status, text]).toEqual([200, expect.stringContaining(`"page":"${page.page}"`)]);
      }
      await busy.answeredMore();
      await busy.stop();
      expect(busy.wrong).toEqual([]);
    },
  );

  it.each(Object.entries(BURSTS))(
    `answers a request of a caller before a quarter of ${BURST} that another one has sent before: %s`,
    async (_what, asked) => {
      const sockets = await openConnections(service, asked);
      const [socket] = (await openConnections(service, MODEST_REQUEST, 1)) as [Socket];
      const counts: number[] = [];
      for (let burst = 0; burst < 3; burst += 1)
        counts.push(
          await answeredBefore(
            service,
            { sockets, text: textOf(asked) },
            { socket, text: textOf(MODEST_REQUEST), route: MODEST_ROUTE },
          ),
        );
      expect(Math.max(...counts)).toBeLessThan(MOST_BEFORE);
    },
  );
});
