export {
  type AdminDataProvider,
  type AdminList,
  type AdminListParams,
  reactAdminProvider,
} from './data-provider.ts';
export type { ResourceOptions } from '../reading/source.ts';
