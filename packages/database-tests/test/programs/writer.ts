/**
 * Writes to the file that the first argument names, some transactions for each message of its
 * parent: every one inserts or deletes entries whose amounts sum up to nothing.
 */
import { DatabaseSync } from 'node:sqlite';

const [path = ''] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 60_000 });
const insert = database.prepare('insert into ledger (pair, amount) values (?, ?), (?, -?)');
const remove = database.prepare(
  'delete from ledger where pair in (select pair from ledger order by random() limit ?)',
);

let pair = 1_000_000;
process.on('disconnect', () => process.exit());

function write(): void {
  database.exec('begin immediate');
  const few = Math.random() < 0.5;
  const total = Number(database.prepare('select count(*) as n from ledger').get()?.['n']);
  if (total > 300 || (few && total > 50)) remove.run(1 + Math.floor(Math.random() * 20));
  else
    for (let count = Math.floor(Math.random() * 20); count >= 0; count--) {
      pair += 1;
      insert.run(pair, count + 1, pair, count + 1);
    }
  database.exec('commit');
}

write();
process.send?.('committed');
process.on('message', () => {
  for (let count = Math.floor(Math.random() * 4); count >= 0; count--) write();
});
