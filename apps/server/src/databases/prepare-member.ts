import type { Catalogue, CatalogueCandidate } from '@proj/engine';

import { isAway } from '../database-wait.ts';
import type { ReloadCause } from '../reload.ts';
import type { LoadedDatabase } from '../settings/databases.ts';
import { sameSettings } from '../settings/restart.ts';
import { type Member, type MemberParts, openMember } from './member.ts';
import { connectionOf, exposureOf, prepareCatalogue } from './open-database.ts';

export interface NextMember {
  readonly member: Member;
  /** Whether its engine was opened for these settings. */
  readonly isNew: boolean;
  readonly candidate: CatalogueCandidate | undefined;
  readonly rereads: boolean;
  readonly lines: readonly string[];
}

export function catalogueOf({ candidate, member }: NextMember): Catalogue {
  return (candidate ?? member.engine).catalogue;
}

export interface PrepareParts extends MemberParts {
  readonly cause: ReloadCause;
}

/**
 * Checks the next settings of a database. If away, one of several keeps its catalogue, or is waited
 * for when its settings change.
 *
 * @param known what is served of the database; undefined for a new one
 * @throws as {@link openMember}
 */
export async function prepareMember(
  known: Member | undefined,
  loaded: LoadedDatabase,
  parts: PrepareParts,
): Promise<NextMember> {
  const before = known?.loaded.settings;
  const has = (part: typeof exposureOf): boolean =>
    before !== undefined && sameSettings(part(before), part(loaded.settings));
  const isExposed = has(exposureOf);
  const isAlone = loaded.name === undefined;
  const isWaiting = !isAlone && known?.waiting?.hasAnswered === false;
  const mayKeep = has(connectionOf) && (isExposed || !isWaiting);
  if (known === undefined || !mayKeep) return openNext(loaded, parts);
  const kept = { member: { ...known, loaded }, isNew: false };
  const nothing = { ...kept, candidate: undefined, rereads: false, lines: [] };
  if (isWaiting) return nothing;
  const rereads = parts.cause === 'operator' || !isExposed;
  try {
    const prepared = await prepareCatalogue(known.engine, loaded, rereads);
    return { ...kept, ...prepared, rereads };
  } catch (error) {
    if (isAlone || !isAway(error)) throw error;
    if (!isExposed) return openNext(loaded, parts);
    return { ...nothing, lines: ['The database does not answer: its models stay as they were.'] };
  }
}

async function openNext(loaded: LoadedDatabase, parts: MemberParts): Promise<NextMember> {
  const member = await openMember(loaded, parts);
  const { warnings: lines } = member;
  return { member, isNew: true, candidate: undefined, rereads: true, lines };
}
