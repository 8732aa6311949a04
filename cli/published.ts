import { formatBytes, plural } from '../web/app/texts/format.ts';
import { bytesOf } from './local-file.ts';
import type { LocalFiles } from './local-files.ts';
import { sentOf } from './push.ts';
import type { Session } from './session.ts';

/** What became of the files. With `--json` it is printed as it is. */
export interface Published {
  url: string;
  projectId: string | null;
  /** Null without an account. */
  version: number | null;
  draft: boolean;
  /** The name of the preview that shows the files. */
  preview: string | null;
  previewUrl: string | null;
  /** Keeps what was published without an account. */
  claimUrl: string | null;
  expiresAt: string | null;
  /** What went over the network. */
  sent: { files: number; bytes: number };
  leftOut: readonly string[];
  warnings: readonly { message: string }[];
}

/** The answer about these files; what it does not say is null. */
export function published(
  files: LocalFiles,
  { url, warnings }: { url: string; warnings: readonly { message: string }[] | undefined },
): Published {
  return {
    url,
    projectId: null,
    version: null,
    draft: false,
    preview: null,
    previewUrl: null,
    claimUrl: null,
    expiresAt: null,
    sent: sentOf(files.files),
    leftOut: files.leftOut,
    warnings: warnings ?? [],
  };
}

/** The address goes to standard output; everything else is for people. */
export function tell(session: Session, result: Published): void {
  const { url, previewUrl, claimUrl, expiresAt, leftOut, warnings, sent } = result;
  for (const { message } of warnings) session.say(`Note: ${message}`);
  if (leftOut.length > 0 && !warnings.some(isAboutLeftOut)) {
    session.say(
      `Not published: ${leftOut.slice(0, 5).join(', ')}${leftOut.length > 5 ? ', …' : ''}. Add --include-hidden to publish what is hidden; links that lead out of the folder are never followed.`,
    );
  }
  session.say(
    sent.files === 0
      ? 'Nothing changed.'
      : `Sent ${numberOf(sent.files)}, ${formatBytes(sent.bytes)}.`,
  );
  if (previewUrl !== null)
    session.say(`A draft. ${url} stays as it is until: slipway promote ${result.version}`);
  if (expiresAt !== null)
    session.say(`It is there until ${new Date(expiresAt).toLocaleString('en')}.`);
  if (claimUrl !== null) session.say(`To keep it, open ${claimUrl}`);
  session.answer(result, [previewUrl ?? url]);
}

function isAboutLeftOut(warning: object): boolean {
  return 'kind' in warning && warning.kind === 'left-out';
}

/** Shows what would be published. */
export function showFiles(session: Session, { published: files, leftOut }: LocalFiles): void {
  const listed = files.map(({ path, size }) => ({ path, size }));
  for (const one of leftOut) session.say(`Not published: ${one}`);
  session.say(`${numberOf(files.length)}, ${formatBytes(bytesOf(files))}. Nothing was sent.`);
  session.answer(
    { files: listed, leftOut },
    listed.map(({ path, size }) => `${path} (${formatBytes(size)})`),
  );
}

/** How many files, and how large. */
export function countOf({ published: files }: LocalFiles): string {
  return `${numberOf(files.length)} (${formatBytes(bytesOf(files))})`;
}

/** A number of files in words. */
export function numberOf(files: number): string {
  return `${files} ${plural(files, { one: 'file', other: 'files' })}`;
}
