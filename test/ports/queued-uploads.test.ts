import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { replaceProjectFiles } from '../../core/projects/versions/replace-files.ts';
import { OwnerWorld } from '../fixtures/accounts/owner-world.ts';
import { piecesSource } from '../fixtures/archives/byte-sources.ts';
import { deflatedEntry, largeZip, storedEntry } from '../fixtures/archives/large-zip.ts';
import { localStores } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const mebibyte = 1024 * 1024;

/** A few kilobytes that unpack to more than a request publishes. */
async function packedArchive() {
  const home = storedEntry('index.html', Buffer.from('<h1>Pier</h1>'), 13);
  const zeros = deflatedEntry('zeros.bin', Buffer.alloc(mebibyte), 17, 9);
  const source = piecesSource(largeZip([home, zeros]));
  const bytes = await source.read(0, source.size - 1);
  return { name: 'site.zip', contentType: 'application/zip', bytes };
}

test('an account lets 30 uploads wait for workers in ten minutes, an upload link six', async () => {
  const world = await new OwnerWorld(stores).open();
  const projectId = await world.publish({ 'index.html': '<h1>Pier</h1>' });
  const sentFor: string[] = [];
  const send = async (_: object, accountId: string) => void sentFor.push(accountId);
  const deps = { ...world.deps, jobs: { send } };
  const files = [await packedArchive()];
  const push = (caller = world.caller) =>
    replaceProjectFiles(deps, caller, { projectId, files: [...files] });
  const guest = { ...world.caller, linkHash: 'a'.repeat(64) };
  for (let count = 0; count < 6; count += 1) await push(guest);
  await expect(push(guest)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  for (let count = 6; count < 30; count += 1) await push();
  await expect(push()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  // Every job names its account, so that the queue gives turns to accounts.
  expect(sentFor).toEqual(Array.from({ length: 30 }, () => world.caller.account.id));
  world.now = new Date(world.now.getTime() + 600_000);
  await push();
});
