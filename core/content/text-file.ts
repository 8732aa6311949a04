import type { ProjectType } from '../../contract/fields.ts';
import { mediaType } from './media-type.ts';

/** The beginning of a file of text, as much of it as its page shows. */
export interface TextFile {
  path: string;
  type: ProjectType;
  bytes: Uint8Array;
  /** False where the file goes on. */
  isWhole: boolean;
}

/** What is read of a file to be shown; the rest is at its own address. */
export const shownTextBytes = 2 * 1024 * 1024;

const textTypes = new Set<ProjectType>(['code', 'markdown', 'yaml', 'sql', 'python']);

/** Whether the page of a single file shows it as text. */
export function isTextFile(type: ProjectType, path: string): boolean {
  if (textTypes.has(type)) return true;
  return type === 'document' && mediaType(path).startsWith('text/');
}
