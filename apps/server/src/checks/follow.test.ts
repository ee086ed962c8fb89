import { type FollowReport, SettingsError } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import type { LoadedSettings } from '../settings/file/load.ts';
import { settingsSchema } from '../settings/schema.ts';
import { followFindings, followWarnings } from './follow.ts';

const NOTHING: FollowReport = {
  missing: [],
  refused: [],
  unfollowed: [],
  notes: [],
  isWorthwhile: false,
};

/** Settings whose file has `follow` in line 2. */
function loaded(follow?: true): LoadedSettings {
  return {
    settings: settingsSchema.parse({ database: 'postgres://db/shop', follow }),
    path: 'dq.yaml',
    notes: [],
    fingerprint: '',
    ignored: [],
    fileHoldsSecret: false,
    place: () => 'dq.yaml:2: ',
  };
}

function engineWith(report: Partial<FollowReport>): {
  followReport: () => Promise<FollowReport>;
} {
  return { followReport: async () => ({ ...NOTHING, ...report }) };
}

const WAL_LEVEL = {
  problem: 'wal_level is replica.',
  remedy: 'Run as a superuser:',
  statements: ['alter system set wal_level = logical;'],
};

const FILTERED = {
  problem: 'The publication has a row filter for t.',
  remedy: 'Publish the whole table:',
  statements: ['alter publication p drop table t;', 'alter publication p add table t;'],
};

describe('following changes, as the settings ask for it', () => {
  it('is refused by check with its place, the remedy, and each statement on a line of its own', async () => {
    const engine = engineWith({ missing: [WAL_LEVEL], refused: [FILTERED] });
    const { errors } = await followFindings(engine, loaded(true));
    expect(errors).toEqual([
      'dq.yaml:2: follow: wal_level is replica. Run as a superuser:\n' +
        '  alter system set wal_level = logical;',
      'dq.yaml:2: follow: The publication has a row filter for t. Publish the whole table:\n' +
        '  alter publication p drop table t;\n  alter publication p add table t;',
    ]);
  });

  it('is a warning at the start, since the service answers without it', async () => {
    expect(await followWarnings(engineWith({ missing: [WAL_LEVEL] }), loaded(true))).toEqual([
      'follow: wal_level is replica. `dynamic-query check` says what to run. ' +
        'Until then everything is read without the feed.',
    ]);
    expect(await followWarnings(engineWith({ refused: [FILTERED] }), loaded(true))).toEqual([
      'follow: The publication has a row filter for t. `dynamic-query check` says what to run.',
    ]);
  });

  it('comes with what is not followed and with what it means', async () => {
    const unfollowed = [{ problem: 'seen: It is a view.', remedy: '', statements: [] }];
    const engine = engineWith({ unfollowed, notes: ['The role may copy the cluster.'] });
    expect(await followFindings(engine, loaded(true))).toEqual({
      errors: [],
      notes: [
        'not followed: seen: It is a view.',
        'follow: The role may copy the cluster.',
        'not followed: lists along relations, and lists of groups. Each commit makes them be ' +
          'counted again.',
      ],
    });
  });

  it('names the place of a setting that the engine refuses', async () => {
    const refusing = {
      followReport: () => Promise.reject(new SettingsError('follow.url: a pooler is there.')),
    };
    const message = 'dq.yaml:2: follow.url: a pooler is there.';
    await expect(followFindings(refusing, loaded(true))).rejects.toThrow(message);
    await expect(followWarnings(refusing, loaded(true))).rejects.toThrow(message);
  });
});

describe('following changes, where the settings do not ask for it', () => {
  it('is suggested by check in one line where it would be noticed', async () => {
    const { errors, notes } = await followFindings(engineWith({ isWorthwhile: true }), loaded());
    expect(errors).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('docs/guides/follow-changes.md')]);
  });

  it('is not mentioned where tables are small, nor where there is no feed at all', async () => {
    const silent = { errors: [], notes: [] };
    expect(await followFindings(engineWith({ missing: [WAL_LEVEL] }), loaded())).toEqual(silent);
    const none = { followReport: async () => undefined };
    expect(await followFindings(none, loaded())).toEqual(silent);
  });

  it('is no reason for an error or a warning', async () => {
    const refusing = {
      followReport: () => Promise.reject(new SettingsError('follow: a pooler is there.')),
    };
    expect(await followFindings(refusing, loaded())).toEqual({ errors: [], notes: [] });
    expect(await followWarnings(refusing, loaded())).toEqual([]);
  });
});
