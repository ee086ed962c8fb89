import type { Service } from '../service.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { watchSettings } from '../settings/file/watch.ts';

type Reloadable = Pick<Service, 'reload'>;

/**
 * Reloads a service when the process gets SIGHUP, or its settings file changes. A signal that comes
 * before the service is there is kept for it.
 */
export class ReloadTriggers {
  readonly #service = Promise.withResolvers<Reloadable>();
  readonly #hangup = (): void =>
    void this.#service.promise.then((service) => service.reload('operator'));
  #unwatch = (): void => undefined;

  /** Catches the signal from now on. */
  constructor() {
    process.on('SIGHUP', this.#hangup);
  }

  connect({ path, fingerprint }: LoadedSettings, service: Reloadable): void {
    this.#service.resolve(service);
    if (path === undefined) return;
    const changed = (): Promise<boolean> => service.reload('settings');
    this.#unwatch = watchSettings({ path, fingerprint, changed });
  }

  /** Reloads no more. The signal stays caught, so that it does not end a process that stops. */
  stop(): void {
    this.#unwatch();
  }

  /** Lets the signal end the process again. */
  close(): void {
    this.stop();
    process.off('SIGHUP', this.#hangup);
  }
}
