import { type RelationPath, SettingsError, type Statement } from '@proj/engine/database';
import type { FollowGap, FollowReport, FollowSettings } from '@proj/engine/following';

import { Connector } from '../../connection/connect.ts';
import type { Connection, Row } from '../../connection/connection.ts';
import { toQueryError } from '../../connection/errors.ts';
import type { ServerFinding } from '../../connection/server-proof.ts';
import { readPostgresUrl } from '../../connection/url.ts';
import { reportOf } from '../setup/report.ts';
import {
  DEFAULT_PUBLICATION,
  feedFactsOf,
  feedRequirements,
  SERVER_INSTANCE,
  withCallers,
} from '../setup/requirements.ts';

export interface FollowedServerSettings {
  readonly url: string;
  /** Default: as on the server of `url`. */
  readonly follow?: FollowSettings | undefined;
  readonly queryTimeoutMs: number;
  /** Processes that each follow it. Default: 1. */
  readonly processes?: number | undefined;
}

/** Vacuum spares what a snapshot may see. */
const SNAPSHOT_SECONDS = 30;

export function feedTargetOf({ url, follow = true }: FollowedServerSettings): {
  readonly url: string;
  readonly publication: string;
  readonly setting: string;
  readonly heldMs: number;
} {
  const {
    url: own,
    publication = DEFAULT_PUBLICATION,
    snapshotSeconds = SNAPSHOT_SECONDS,
  } = follow === true ? {} : follow;
  const setting = own === undefined ? 'follow' : 'follow.url';
  return { url: own ?? url, publication, setting, heldMs: snapshotSeconds * 1000 };
}

export interface Reported {
  readonly relations: readonly RelationPath[];
  /** Those followed for callers whom the database knows. */
  readonly shown: readonly RelationPath[];
  readonly ask: (statement: Statement) => Promise<Row>;
}

/** @throws {SettingsError} when the URL leads to a pooler, or not to the server that is read */
export async function readFollowReport(
  settings: FollowedServerSettings,
  reported: Reported,
): Promise<FollowReport> {
  const { url, publication, setting } = feedTargetOf(settings);
  const { queryTimeoutMs, processes = 1 } = settings;
  const address = readPostgresUrl(url, setting);
  const connector = new Connector(address, { pooler: 'auto', queryTimeoutMs });
  let connection: Connection | undefined;
  try {
    connection = await connector.connect().catch((error: unknown) => {
      throw error instanceof SettingsError ? poolerBefore(setting) : error;
    });
    if (!connection.terms.isOwn) throw poolerBefore(setting);
    if (connector.server.gap !== undefined) return notFollowable(connector.server);
    const asked = feedRequirements(publication, reported.relations);
    const facts = feedFactsOf(await connection.query(asked, false));
    const [instance] = await reported.ask(SERVER_INSTANCE);
    if (instance !== facts.server.instance) throw otherServer(setting);
    const relations = withCallers(facts.relations, reported.shown);
    return reportOf({ ...facts, relations }, processes);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    return noAnswer(error);
  } finally {
    connection?.destroy();
  }
}

function poolerBefore(setting: string): SettingsError {
  return new SettingsError(
    `${setting}: a pooler is before the server, and changes are read on a connection of their ` +
      'own. Set follow.url to the address of the server itself.',
  );
}

function otherServer(setting: string): SettingsError {
  return new SettingsError(
    setting === 'follow.url'
      ? 'follow.url: it leads to another server or database than `database`. ' +
          'Let both name the same.'
      : 'follow: the URL of `database` leads to several servers. ' +
          'Let it name one, or leave `follow` out.',
  );
}

function noAnswer(error: unknown): FollowReport {
  const reason = toQueryError(error).message.replace(/\.$/, '');
  return onlyMissing({
    problem: `The server that is to be followed gives no answer: ${reason}.`,
    remedy: 'Check its address, the rights of the role, and pg_hba.conf.',
    statements: [],
  });
}

export function notFollowable({ name, gap }: ServerFinding): FollowReport {
  return onlyMissing({
    problem: `The server calls itself ${name}, but its snapshots are not relied on: ${gap}.`,
    remedy: 'Name the PostgreSQL server itself, of version 13 or later, or leave `follow` out.',
    statements: [],
  });
}

function onlyMissing(gap: FollowGap): FollowReport {
  return { missing: [gap], refused: [], unfollowed: [], notes: [], isWorthwhile: false };
}
