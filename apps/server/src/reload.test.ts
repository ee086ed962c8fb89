import { QueryFailedError, SettingsError } from '@proj/engine';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { type ReloadCause, Reloader } from './reload.ts';

const AWAY = new QueryFailedError('database_unavailable', 'It is away.');
const WRONG = new SettingsError('port: it is taken.');

const say = (): void => undefined;
const LOG = { info: say, warn: say, error: say };

/** A reloader whose attempts fail with these errors, one after the other, and then succeed. */
function startReloader(...errors: readonly Error[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failures = [...errors];
  const attempts: ReloadCause[] = [];
  const attempt = async (cause: ReloadCause): Promise<undefined> => {
    attempts.push(cause);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  };
  return { reloader: new Reloader({ log: LOG, attempt }), attempts };
}

describe('a reload of an operator', () => {
  it('is tried again until the database answers, and not once more', async () => {
    const { reloader, attempts } = startReloader(AWAY, AWAY);
    expect(await reloader.reload('operator')).toBe(false);
    await vi.runAllTimersAsync();
    expect(attempts).toEqual(['operator', 'operator', 'operator']);
    expect(await reloader.reload('settings')).toBe(true);
    expect(attempts.at(-1)).toBe('settings');
  });

  it.each([AWAY, WRONG])(
    'that failed with "%s" is made up for by the next one of the settings',
    async (error) => {
      const { reloader, attempts } = startReloader(error);
      await reloader.reload('operator');
      expect(await reloader.reload('settings')).toBe(true);
      await vi.runAllTimersAsync();
      expect(attempts).toEqual(['operator', 'operator']);
    },
  );

  it('is made up for also where the settings changed before it failed', async () => {
    const { reloader, attempts } = startReloader(AWAY);
    const failing = reloader.reload('operator');
    await reloader.reload('settings');
    await failing;
    await vi.runAllTimersAsync();
    expect(attempts).toEqual(['operator', 'operator']);
  });

  it('follows one under way, which may have read the schema before', async () => {
    const { reloader, attempts } = startReloader();
    const first = reloader.reload('operator');
    await reloader.reload('operator');
    await first;
    expect(attempts).toEqual(['operator', 'operator']);
  });

  it('is not tried again once the service ends', async () => {
    const { reloader, attempts } = startReloader(AWAY);
    await reloader.reload('operator');
    reloader.close();
    await vi.runAllTimersAsync();
    expect(attempts).toEqual(['operator']);
  });
});
