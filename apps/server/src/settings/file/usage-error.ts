import { SettingsError } from '@proj/engine';

/** Command line, environment or settings file are wrong. The message says what to write instead. */
export class UsageError extends SettingsError {}
