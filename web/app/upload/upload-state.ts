import type { Picked } from './dropped-files.ts';

/** What becomes of the files. */
export type UploadTarget =
  | { kind: 'project' }
  | { kind: 'version'; projectId: string; projectTitle: string }
  /** Into the live version, beside its other files. */
  | { kind: 'files'; projectId: string; projectTitle: string };

/** An upload as the panel shows it. */
export interface UploadState {
  id: string;
  title: string;
  target: UploadTarget;
  picked: Picked;
  phase: 'sending' | 'storing' | 'asking' | 'done' | 'failed';
  isPaused: boolean;
  /** True while there is no network. */
  isWaiting: boolean;
  sentBytes: number;
  totalBytes: number;
  /** Bytes a second, of the last seconds. */
  bytesPerSecond: number;
  error: Error | undefined;
  /** The pages to choose from, while `asking`. */
  htmlPaths: readonly string[];
  result: { projectId: string; url: string } | undefined;
}

/** A new upload, before anything was sent. */
export function newUpload(picked: Picked, target: UploadTarget): UploadState {
  return {
    id: crypto.randomUUID(),
    title: target.kind === 'project' ? picked.name : target.projectTitle,
    target,
    picked,
    phase: 'sending',
    isPaused: false,
    isWaiting: false,
    sentBytes: 0,
    totalBytes: picked.files.reduce((sum, { file }) => sum + file.size, 0),
    bytesPerSecond: 0,
    error: undefined,
    htmlPaths: [],
    result: undefined,
  };
}

/** The ZIP of an upload that is nothing but one. */
export function archiveOf({ files: [first, ...others] }: Picked): File | undefined {
  if (first === undefined || others.length > 0) return undefined;
  return /\.zip$/i.test(first.path) ? first.file : undefined;
}

/** Weight of the latest second against those before it. */
const smoothing = 0.3;

/** The speed after another `bytes` in `seconds`, smoothed so that the time left does not jump. */
export function nextSpeed(before: number, bytes: number, seconds: number): number {
  const now = bytes / seconds;
  return before === 0 ? now : before + (now - before) * smoothing;
}
