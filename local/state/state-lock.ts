import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../http/error-code.ts';
import { StartError } from '../start-error.ts';

function isAlive(pid: number): boolean {
  // 0 and negative numbers name groups of processes.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, but for somebody else.
    return hasCode(error, 'EPERM');
  }
}

/** Fails when the file is there already; the one step that only one of two starters can win. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function holder(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Takes the state directory for this process; gives the function that lets it go. The lock of a
 * process that is gone is taken over, that of a living one stops the start.
 */
export function lockState(stateDir: string): () => void {
  mkdirSync(stateDir, { recursive: true });
  const lock = join(stateDir, 'lock');
  const mine = join(stateDir, `lock.${process.pid}`);
  writeFileSync(mine, String(process.pid));
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (isLinked(mine, lock)) return () => rmSync(lock, { force: true });
      const pid = holder(lock);
      if (pid !== undefined && isAlive(pid)) {
        throw new StartError(`Another local cloud (process ${pid}) uses ${stateDir}.`);
      }
      // Moved aside rather than removed: whoever comes second moves nothing, or moves a dead lock.
      if (pid !== undefined && holder(lock) === pid) renameSync(lock, `${mine}.stale`);
    }
    throw new StartError(`Could not take ${stateDir}.`);
  } finally {
    rmSync(mine, { force: true });
    rmSync(`${mine}.stale`, { force: true });
  }
}
