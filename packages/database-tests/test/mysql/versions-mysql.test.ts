import { describeProduct, MYSQL } from './mariadb.ts';
import { testVersions } from './version-tests.ts';

describeProduct(MYSQL, 'the versions', testVersions);
