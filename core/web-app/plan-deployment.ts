import { daySeconds } from '../../contract/limits.ts';
import type { Instant } from '../../contract/fields.ts';
import { instant } from '../instants.ts';

/** How long files of an earlier build stay, so that a tab which still runs it finds its chunks. */
const retiredSeconds = 7 * daySeconds;

/** Files that no build uses any more, and since when. */
export type RetiredFiles = Record<string, Instant>;

/**
 * Plans a deployment of the web app. It keeps files of earlier builds for a week from the
 * deployment that replaced them, then deletes them. A file that a build uses again is no longer
 * retired.
 */
export function planDeployment({ build, stored, retired, now }: DeploymentState): {
  remove: string[];
  retired: RetiredFiles;
} {
  const current = new Set(build);
  const entries = stored
    .filter((key) => !current.has(key))
    .map((key): [string, Instant] => [key, retired[key] ?? instant(now)]);
  const isOver = ([, since]: [string, Instant]) =>
    Date.parse(since) + retiredSeconds * 1000 <= now.getTime();
  return {
    remove: entries.filter(isOver).map(([key]) => key),
    retired: Object.fromEntries(entries.filter((entry) => !isOver(entry))),
  };
}

/** The input of {@link planDeployment}. */
export interface DeploymentState {
  build: readonly string[];
  stored: readonly string[];
  retired: RetiredFiles;
  now: Date;
}
