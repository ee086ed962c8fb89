import { type TestDatabase, until } from '@proj/test-servers';
import { Client } from 'pg';

const RELOAD = 'select pg_reload_conf()';

/** The processes whose commits wait for a standby. */
const WAITING = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;

/** Commits of a server that no standby confirms. */
interface HeldCommits {
  /** Waits until one is made. */
  readonly untilOneWaits: () => Promise<void>;
  /** Lets those that wait be seen. */
  readonly letGo: () => Promise<void>;
  /** Has later ones wait no longer. */
  readonly end: () => Promise<void>;
}

/** Has the commits of a server wait for a standby that it does not have, all from now on. */
export async function holdCommits(server: TestDatabase): Promise<HeldCommits> {
  await server.client(`alter system set synchronous_standby_names = 'ghost'; ${RELOAD}`);
  const isOneWaiting = async (): Promise<boolean> => (await server.client(WAITING)) !== '';
  const untilOneWaits = (): Promise<void> => until(isOneWaiting);
  const letGo = async (): Promise<void> =>
    void (await server.client(`select pg_cancel_backend(pid) from (${WAITING}) as waiting`));
  const probe = new Client({ connectionString: server.url });
  await probe.connect();
  // The setting reaches the server a moment later, and commits until then do not wait.
  for (let isHeld = false; !isHeld;) {
    const probing = { hasEnded: false };
    const commit = async (): Promise<void> => {
      await probe.query(`select pg_logical_emit_message(true, '', '')`);
      probing.hasEnded = true;
    };
    const ended = commit();
    await until(async () => probing.hasEnded || isOneWaiting());
    isHeld = !probing.hasEnded;
    if (isHeld) await letGo();
    await ended;
  }
  await probe.end();
  return {
    untilOneWaits,
    letGo,
    end: async () =>
      void (await server.client(`alter system reset synchronous_standby_names; ${RELOAD}`)),
  };
}
