// Shared by settings files and options: models and roles, their checks and messages.
export { type AccessSettingsError, type KnownModels, roleErrors } from './access/check-roles.ts';
export { KeptGrants } from './access/kept-grants.ts';
export { makeGrant, principalFor } from './access/roles.ts';
export { claimOf, type Claims, claimSettings } from './access/row-claims.ts';
export { limitSettings, milliseconds, positive } from './settings/limits.ts';
export { modelSettings, reportLine } from './settings/model-settings.ts';
export { modelsSettings } from './settings/models.ts';
export { entriesOf, fromEntries, isRecord, named, namedInOrder } from './settings/mappings.ts';
export { type Roles, roleSettings, type RoleSettings, sessionRoles } from './settings/roles.ts';
export {
  type JsonSchema,
  type SettingIssue,
  settingIssues,
  settingMessage,
} from './settings/setting-message.ts';
