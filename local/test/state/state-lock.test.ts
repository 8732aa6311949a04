import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { lockState } from '../../state/state-lock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const aDir = () => temporaryFolder('lock');

test('a state directory is locked by one process at a time', () => {
  const dir = aDir();
  const unlock = lockState(dir);
  expect(() => lockState(dir)).toThrow(
    `Another local cloud (process ${process.pid}) uses ${dir}. End it with "kill ${process.pid}",`,
  );
  unlock();
  lockState(dir)();
  expect(readdirSync(dir)).toEqual([]);
});

test.each([
  ['a process that is gone', String(spawnSync('true').pid)],
  ['nobody', ''],
])('the lock of %s is taken over', (_, holder) => {
  const dir = aDir();
  writeFileSync(join(dir, 'lock'), holder);
  const unlock = lockState(dir);
  expect(existsSync(join(dir, 'lock'))).toBe(true);
  expect(readdirSync(dir)).toEqual(['lock']);
  unlock();
});
