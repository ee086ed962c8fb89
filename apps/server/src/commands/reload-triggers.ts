import type { Service } from '../service.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { watchSettings } from '../settings/file/watch.ts';

type Reloadable = Pick<Service, 'reload'>;

/** Reloads on SIGHUP, or when the settings file changes. Early signals are kept for the service. */
export class ReloadTriggers {
  readonly #service = Promise.withResolvers<Reloadable>();
  readonly #hangup = (): void =>
    void this.#service.promise.then((service) => service.reload('operator'));
  #unwatch = (): void => undefined;

  constructor() {
    process.on('SIGHUP', this.#hangup);
  }

  connect({ path, fingerprint }: LoadedSettings, service: Reloadable): void {
    this.#service.resolve(service);
    if (path === undefined) return;
    const changed = (): Promise<boolean> => service.reload('settings');
    this.#unwatch = watchSettings({ path, fingerprint, changed });
  }

  /** Reloads no more, but still catches the signal, which would end a stopping process. */
  stop(): void {
    this.#unwatch();
  }

  close(): void {
    this.stop();
    process.off('SIGHUP', this.#hangup);
  }
}
