import { formatBytes } from '../../pages/parts/format.ts';
import type { Picked } from '../upload/picked.ts';
import { type Action, at } from './panels.ts';
import { filesText } from './texts.ts';

/** What was picked, in bytes. */
export function bytesOf({ files }: Picked): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

/** A limit of the page, from its markup; none if it has none. */
export function limit(
  name: 'maxEntries' | 'maxBytes' | 'accountBytes' | 'maxUrls' | 'maxInline',
): number {
  return Number(at('launch').dataset[name] ?? Number.POSITIVE_INFINITY);
}

/** Why files cannot be sent from here, and what to do next. */
export function problemOf(sent: Picked): Problem | undefined {
  const { length } = sent.files;
  if (length === 0) return ['No files were found.', 'Choose files, a folder or a ZIP.'];
  if (length > limit('maxEntries')) {
    const most = `You can publish at most ${limit('maxEntries')} at once.`;
    return [`That is ${filesText(length)}.`, most];
  }
  if (bytesOf(sent) > limit('maxBytes')) {
    return tooLarge(sent);
  }
  if (bytesOf(sent) > limit('maxInline') && length > limit('maxUrls')) {
    return [`That is ${filesText(length)}.`, 'Put them into one ZIP and choose that.'];
  }
  return undefined;
}

/** What is wrong, what to do next, and a button that does it. */
export type Problem = [what: string, next: string, action?: Action];

/** On the front page an account helps; the files stay through the sign-in. */
function tooLarge(sent: Picked): Problem {
  const size = formatBytes(bytesOf(sent));
  const most = formatBytes(limit('maxBytes'));
  if (at('launch').dataset['accountBytes'] === undefined) {
    return [`That is more than ${most}.`, 'Remove some files, or make them smaller.'];
  }
  const isEnough = bytesOf(sent) <= limit('accountBytes');
  const next = isEnough
    ? `Sign in to publish up to ${formatBytes(limit('accountBytes'))}. Your files stay here meanwhile.`
    : 'With an account you can publish more, depending on its plan. Your files stay here meanwhile.';
  const run = async () => {
    const { keepForAccount } = await import('../upload/waiting-files.ts');
    await keepForAccount(sent.files);
    location.assign('/dashboard');
  };
  const action = { text: 'Sign in and publish', run: () => void run() };
  return [`${size}; without an account ${most}.`, next, action];
}
