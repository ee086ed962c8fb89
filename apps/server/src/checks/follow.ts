import {
  type Engine,
  type FollowGap,
  type FollowReport,
  QueryFailedError,
  SettingsError,
} from '@proj/engine';

import type { LoadedSettings } from '../settings/file/load.ts';
import type { Settings } from '../settings/schema.ts';
import type { Findings } from './findings.ts';

/** @throws {SettingsError} when `follow` leads to a pooler or to another server */
export async function followFindings(
  engine: Pick<Engine, 'followReport'>,
  { settings, place }: LoadedSettings,
): Promise<Findings> {
  if (!isFollowing(settings)) return { errors: [], notes: await hint(engine) };
  const { missing, refused, unfollowed, notes } = await reportAt(engine, place(['follow']));
  return {
    errors: [...missing, ...refused].map((gap) => `${place(['follow'])}follow: ${textOf(gap)}`),
    notes: [
      ...unfollowed.map((gap) => `not followed: ${textOf(gap)}`),
      ...notes.map((note) => `follow: ${note}`),
      OTHER_LISTS,
    ],
  };
}

/** The feed knows the rows of one table; these lists have rows of several, or of none. */
const OTHER_LISTS =
  'not followed: lists along relations, and lists of groups. Each commit makes them be counted ' +
  'again.';

/** @throws {SettingsError} as {@link followFindings}; anything else is retried later */
export async function followWarnings(
  engine: Pick<Engine, 'followReport'>,
  { settings, place }: LoadedSettings,
): Promise<string[]> {
  if (!isFollowing(settings)) return [];
  const { missing, refused } = await reportAt(engine, place(['follow']));
  const lacking = missing.length > 0 ? ' Until then everything is read without the feed.' : '';
  return [...missing, ...refused].map(
    ({ problem }) => `follow: ${problem} \`dynamic-query check\` says what to run.${lacking}`,
  );
}

function isFollowing({ follow = false }: Settings): boolean {
  return follow !== false;
}

async function reportAt(
  engine: Pick<Engine, 'followReport'>,
  place: string,
): Promise<FollowReport> {
  try {
    const report = await engine.followReport();
    if (report === undefined) throw new SettingsError('follow: no changes can be followed here.');
    return report;
  } catch (error) {
    throw error instanceof SettingsError ? new SettingsError(`${place}${error.message}`) : error;
  }
}

function textOf({ problem, remedy, statements }: FollowGap): string {
  const sentence = [problem, remedy].filter(Boolean).join(' ');
  return [sentence, ...statements.map((statement) => `  ${statement}`)].join('\n');
}

/** Suggests `follow` where it would save noticeable time. Ignores errors of the server. */
async function hint(engine: Pick<Engine, 'followReport'>): Promise<string[]> {
  const report = await engine.followReport().catch((error: unknown) => {
    if (error instanceof SettingsError || error instanceof QueryFailedError) return undefined;
    throw error;
  });
  if (report?.isWorthwhile !== true) return [];
  return [
    'follow is off: after each commit anywhere on the server, totals are counted again. ' +
      'docs/guides/follow-changes.md says how to avoid that.',
  ];
}
