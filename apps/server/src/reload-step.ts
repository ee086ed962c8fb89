import type { AccessRules, Authenticator } from './access/authenticator.ts';
import type { JwtVerifier } from './access/jwt/jwt.ts';
import { checkAccess } from './checks/check-settings.ts';
import type { Databases, PreparedDatabases } from './databases/databases.ts';
import type { ReloadCause, Reloaded } from './reload.ts';
import type { LoadedSettings } from './settings/file/load.ts';
import { sameSettings, settingsThatNeedRestart } from './settings/restart.ts';
import type { Settings } from './settings/schema.ts';
import { checkSecrecy } from './settings/secrecy.ts';

export interface ReloadStepParts {
  readonly databases: Pick<Databases, 'prepare'>;
  readonly authenticator: Authenticator;
  /** Reuses a verifier of the same issuers, or opens a new one. */
  readonly openRules: (settings: Settings, jwt?: JwtVerifier) => Promise<AccessRules>;
  readonly setLogLevel: (level: Settings['log_level']) => void;
  readonly onCatalogue: (settings: Settings) => void;
  readonly onApplied: (settings: Settings) => void;
}

export interface PreparedReload extends Reloaded {
  /** @throws {SettingsError} when the catalogue has changed since, and they no longer fit */
  apply(): void;
  discard(): void;
}

/** Reloads one process: checks settings first, then applies them as a whole. */
export class ReloadStep {
  readonly #parts: ReloadStepParts;
  /** The settings at the start, which hold for everything that a reload does not apply. */
  readonly #started: Settings;
  #applied: Settings;

  constructor(parts: ReloadStepParts, started: Settings) {
    this.#parts = parts;
    this.#started = started;
    this.#applied = started;
  }

  /**
   * Checks settings as at the start. Undefined where nothing has changed.
   *
   * @throws {SettingsError} naming what does not fit
   * @throws {QueryFailedError} when the database does not answer
   */
  async prepare(loaded: LoadedSettings, cause: ReloadCause): Promise<PreparedReload | undefined> {
    if (cause === 'settings' && sameSettings(loaded.settings, this.#applied)) return undefined;
    // A reload does not change where the process listens.
    const weaknesses = await checkSecrecy(loaded, this.#started.host);
    const change = { started: this.#started, cause };
    const databases = await this.#parts.databases.prepare(loaded, change);
    const { known, rereads } = databases;
    const lines = [...weaknesses, ...databases.lines, ...this.#pendingRestarts(loaded)];
    try {
      checkAccess(known, loaded);
      const step = await this.#open(loaded, databases);
      return { ...step, lines, rereads, models: known.catalogue.size };
    } catch (error) {
      databases.discard();
      throw error;
    }
  }

  async #open(
    loaded: LoadedSettings,
    databases: PreparedDatabases,
  ): Promise<Pick<PreparedReload, 'apply' | 'discard'>> {
    const { authenticator, openRules } = this.#parts;
    const isSame = sameSettings(loaded.settings.jwt, this.#applied.jwt);
    const verifier = isSame ? authenticator.rules.jwt : undefined;
    const rules = await openRules(loaded.settings, verifier);
    const discard = (): void => {
      if (rules.jwt !== verifier) rules.jwt?.close();
      databases.discard();
    };
    const apply = (): void => {
      try {
        this.#apply(loaded, rules, databases);
      } catch (error) {
        discard();
        throw error;
      }
    };
    return { apply, discard };
  }

  /** One synchronous step: no request runs with rules not checked against its catalogue. */
  #apply(loaded: LoadedSettings, rules: AccessRules, databases: PreparedDatabases): void {
    const { authenticator, setLogLevel, onCatalogue, onApplied } = this.#parts;
    checkAccess(databases.known, loaded);
    databases.apply();
    authenticator.replace(rules);
    setLogLevel(loaded.settings.log_level);
    this.#applied = loaded.settings;
    if (databases.rereads) onCatalogue(loaded.settings);
    onApplied(loaded.settings);
  }

  #pendingRestarts({ settings, place }: LoadedSettings): string[] {
    return settingsThatNeedRestart(this.#started, settings).map(
      (name) => `${place(name.split('.'))}${name} changed: it takes effect after a restart`,
    );
  }
}
