import { stat } from 'node:fs/promises';

import { type DatabaseKind, SettingsError } from '@proj/engine/database';

/** SQLite: `sqlite:/path/to/file.db`, read by `node:sqlite` in processes of its own. */
export const sqlite: DatabaseKind = {
  schemes: ['sqlite'],
  example: 'sqlite:/data/shop.db',
  open: async (url, { processes, exports, replyMemory }) => {
    const path = url.replace(/^sqlite:(\/\/)?/i, '');
    const file = await stat(path).catch(() => undefined);
    if (file?.isFile() !== true) {
      throw new SettingsError(
        `database: no file is at ${path || '(empty path)'}. Give the path of a SQLite file: ` +
          'sqlite:/data/shop.db.',
      );
    }
    if (file.size === 0) {
      throw new SettingsError(
        `database: ${path} is empty: nobody has made a database of it yet. ` +
          'Create its tables first, or give the path of the file that your application writes to.',
      );
    }
    const { openSqlite } = await import('./source.ts');
    return openSqlite(path, { processes, exports, replyMemory });
  },
};
