import type { ExportedFile } from '../../contract/account-export.ts';

/** What identifies a content, whatever it is called. */
export type ObjectFacts = Pick<ExportedFile, 'size' | 'hash'>;

/** The name under which a folder keeps a content, once for all files that have it. */
export function objectName({ hash, size }: ObjectFacts): string {
  return `${hash}-${size}`;
}
