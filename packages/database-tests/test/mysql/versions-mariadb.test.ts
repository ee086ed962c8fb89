import { describeProduct, MARIADB } from './mariadb.ts';
import { testVersions } from './version-tests.ts';

describeProduct(MARIADB, 'the versions', testVersions);
