export { reactAdminProvider } from './data-provider.ts';
export type { AdminDataProvider, AdminList, AdminListParams } from './data-provider.ts';
export type { ResourceOptions } from '../reading/sources.ts';
