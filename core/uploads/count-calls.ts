import type { MaybeAccountCaller } from '../caller.ts';
import { callerKey } from '../limits/caller-key.ts';
import { type Counters, countAttempt } from '../limits/counters.ts';
import type { Rule } from '../limits/sliding-window.ts';

/** Storage is called once for each file: so few are not counted. */
const freeFiles = 20;

/** What makes a call of storage for each file of an upload. */
interface Calls {
  key: string;
  rule: Rule;
  what: string;
}

/** Beginning uploads; a ZIP is one file. */
export const lists: Calls = {
  key: 'upload-lists',
  rule: { limit: 60, windowSeconds: 3600 },
  what: `uploads of more than ${freeFiles} files each; one ZIP sent as \`archive\` is not counted`,
};

/** Asking how much has arrived. */
export const looks: Calls = {
  key: 'upload-looks',
  rule: { limit: 10, windowSeconds: 60 },
  what: `looks at waiting uploads of more than ${freeFiles} files`,
};

/**
 * One request must not cost thousands of calls of storage as often as a key may ask.
 * @throws CodedError RATE_LIMITED
 */
export async function countCalls(
  { counters }: { counters: Pick<Counters, 'count'> },
  caller: MaybeAccountCaller,
  { key, files, ...counted }: Calls & { files: number },
  now: Date,
): Promise<void> {
  if (files <= freeFiles) return;
  const whose = caller.account?.id ?? callerKey(caller.address);
  await countAttempt(counters, caller, { ...counted, key: `${key}#${whose}` }, now);
}
