import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasErrorCode, StartError } from '../errors.ts';

function isAlive(pid: number): boolean {
  // 0 and negative numbers name groups of processes.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, but belongs to another user.
    return hasErrorCode(error, 'EPERM');
  }
}

/** Creates the lock atomically: of two simultaneous starts, only one succeeds. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function lockHolder(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Locks the state directory for this process; returns the function that unlocks it. The lock of a dead
 * process is replaced, that of a running one stops the start.
 */
export function lockState(stateDir: string): () => void {
  mkdirSync(stateDir, { recursive: true });
  const lock = join(stateDir, 'lock');
  const ownFile = join(stateDir, `lock.${process.pid}`);
  writeFileSync(ownFile, String(process.pid));
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (tryLink(ownFile, lock)) return () => rmSync(lock, { force: true });
      const pid = lockHolder(lock);
      if (pid !== undefined && isAlive(pid)) {
        throw new StartError(
          `Another local cloud (process ${pid}) uses ${stateDir}. End it with "kill ${pid}", or choose another folder with --state-dir.`,
        );
      }
      // Renamed instead of deleted, so that of two processes only one removes the stale lock.
      if (pid !== undefined && lockHolder(lock) === pid) renameSync(lock, `${ownFile}.stale`);
    }
    throw new StartError(`Could not lock ${stateDir}.`);
  } finally {
    rmSync(ownFile, { force: true });
    rmSync(`${ownFile}.stale`, { force: true });
  }
}
