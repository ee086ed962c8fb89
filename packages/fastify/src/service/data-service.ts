import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import { SettingsError } from '@proj/engine';

import type { Ask, Principal } from '../endpoint/ask.ts';
import { Attached } from '../endpoint/attached.ts';
import { Pipeline } from '../endpoint/pipeline.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import type { Route, Station } from '../endpoint/route.ts';
import { filesIn, type ProgramFiles } from '../pages/page-files.ts';
import { AccessChecks } from '../reply/lasting-access.ts';
import { OpenWatches } from '../reply/watch-reply.ts';
import { RunningExports } from '../reply/export-reply.ts';
import { dataRoutes } from '../routes/data-routes.ts';
import { explorerRoutes } from '../routes/explorer.ts';
import { openApiRoutes } from '../routes/openapi.ts';
import type { RouteParts } from '../routes/route-parts.ts';
import {
  type Caller,
  type DataOptions,
  type QueryReport,
  readOptions,
  type ReadOptions,
} from './data-options.ts';
import { Grants } from './grants.ts';
import { openChecked } from './open-engine.ts';

export interface DataService {
  /** Without a trailing slash. */
  readonly prefix: string;
  readonly routes: readonly Route[];
  readonly pipeline: Pipeline;
  /** Ends long replies, so that nobody waits for them. */
  readonly endReplies: () => void;
  readonly close: () => Promise<void>;
}

/** @throws {SettingsError} naming each invalid option */
export async function openData<Origin>(given: DataOptions<Origin>): Promise<DataService> {
  const options = readOptions(given);
  const { engine, roles, close } = await openChecked(options);
  const callers = new Attached<Ask, Caller>();
  const grants = new Grants(engine, roles);
  const identify = async (ask: Ask): Promise<Principal> => {
    const caller = await callerOf(options, ask.origin as Origin);
    callers.set(ask, caller);
    return grants.principalOf(caller);
  };
  const [exports, watches] = [new RunningExports(), new OpenWatches()];
  const checks = new AccessChecks(identify);
  const parts = { engine, bounds: {}, checks, exports, watches, publicUrl: undefined };
  const { onQuery, prefix = '' } = options;
  const stations = onQuery === undefined ? [] : [reportQueries(onQuery, callers)];
  return {
    prefix: prefix.replace(/\/+$/, ''),
    routes: routesOf(options, parts),
    pipeline: new Pipeline({ engine, identify, stations }),
    endReplies: () => {
      exports.stopAll();
      watches.stopAll();
    },
    close,
  };
}

/** @throws {HttpProblem} for a caller whom the app does not know, or refuses by its own error */
async function callerOf<Origin>(
  { principal, challenge }: Pick<DataOptions<Origin>, 'principal' | 'challenge'>,
  origin: Origin,
): Promise<Caller> {
  // Programs without types return anything.
  const caller: unknown = await (async () => principal(origin))().catch((cause: unknown) => {
    const status = statusOf(cause);
    if (status === 403)
      throw new HttpProblem('forbidden', 'The app refuses the caller.', { cause });
    if (status !== 401) throw new Error('`principal` failed', { cause });
    return null;
  });
  if (caller === null || caller === undefined) {
    const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
    throw new HttpProblem('unauthenticated', 'Nobody is signed in.', { headers });
  }
  if (typeof caller !== 'object' || !('id' in caller))
    throw new TypeError('`principal` must return { id, role, claims }, or null');
  return caller as Caller;
}

/** Fastify's name of it, or that of Hono and Nest. */
function statusOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('statusCode' in error) return error.statusCode;
  return 'status' in error ? error.status : undefined;
}

function routesOf(
  { routes: wanted, challenge = '' }: Pick<ReadOptions<never>, 'routes' | 'challenge'>,
  parts: RouteParts,
): Route[] {
  // How the page learns who asks: by a token that it is given, or by what the app knows already.
  const app = /^bearer\b/i.test(challenge) ? 'token' : 'session';
  const ofData = dataRoutes(parts);
  const routes = wanted.flatMap((name): Route[] => {
    if (name === 'explorer')
      return explorerRoutes({ files: explorerFiles(), facts: () => ({ meta: { app } }) });
    if (name !== 'openapi') return ofData[name];
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const { version: serviceVersion } = JSON.parse(manifest) as { readonly version: string };
    return openApiRoutes({ serviceVersion, serves: (path) => served.has(path) });
  });
  const served = new Set(routes.map(({ path }) => `/${path.replace(/:(\w+)/g, '{$1}')}`));
  return routes;
}

const EXPLORER = '@proj/explorer';

function explorerFiles(): ProgramFiles {
  try {
    const manifest = import.meta.resolve(`${EXPLORER}/package.json`);
    return filesIn(fileURLToPath(new URL('dist', manifest)));
  } catch (cause) {
    const remedy = `routes: explorer is a package of its own. Install ${EXPLORER}.`;
    throw new SettingsError(remedy, { cause });
  }
}

function reportQueries(
  onQuery: (report: QueryReport) => void,
  callers: Attached<Ask, Caller>,
): Station {
  return {
    admit: (ask, { reads }) => {
      const principal = callers.get(ask);
      if (reads !== true || principal === undefined) return undefined;
      const began = performance.now();
      ask.onEnd(() => {
        if (ask.read === undefined) return;
        const { model, rows: records } = ask.read;
        const milliseconds = performance.now() - began;
        const report = { principal, model, records, milliseconds };
        // The reply is out: an error here is nobody's but the app's.
        (async () => onQuery(report))().catch((err: unknown) =>
          ask.log.error({ err }, 'onQuery failed'),
        );
      });
      return undefined;
    },
  };
}
