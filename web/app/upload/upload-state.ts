import type { SecretFinding } from '../../../contract/errors.ts';
import { ApiError } from '../api/api-error.ts';
import type { Output } from '../api/contract.ts';
import type { FileFacts, Picked } from './picked.ts';

/** What becomes of the files. */
export type UploadTarget =
  | { kind: 'project' }
  /** With `isLive` the version goes live without a review: the same files were live a moment ago. */
  | { kind: 'version'; projectId: string; projectTitle: string; isLive?: true }
  /** Into the live version, beside its other files. */
  | { kind: 'files'; projectId: string; projectTitle: string };

/** What an upload became. `draft` is the number of a version that is not live. */
export interface UploadResult {
  projectId: string;
  url: string;
  draft?: number;
  leftOut?: LeftOut | undefined;
  /** How many pictures on other sites can be taken along. */
  remotePictures?: number | undefined;
  /** What else was noticed, such as lines of its rules that do nothing. */
  ignored?: Warnings;
}

/** Files that were not published: how many, and the paths of some. */
export interface LeftOut {
  count: number;
  paths: readonly string[];
}

/** What a person has to decide before the files are published. */
export type UploadQuestion =
  | { kind: 'home'; htmlPaths: readonly string[] }
  /** The ZIP has a password. */
  | { kind: 'locked' }
  /** The files seem to be source code that was not built. */
  | { kind: 'source' }
  /** The first keys in the files, and how many there are. */
  | { kind: 'keys'; findings: readonly SecretFinding[]; count: number };

/** The question that a refusal puts to a person; undefined if it puts none. */
export function questionOf(error: ApiError): UploadQuestion | undefined {
  const { code, htmlPaths, keys, isEncrypted } = error;
  if (isEncrypted) return { kind: 'locked' };
  if (code === 'ZIP_MULTIPLE_HTML') return { kind: 'home', htmlPaths };
  return code === 'SECRETS_FOUND' && keys !== undefined ? { kind: 'keys', ...keys } : undefined;
}

/** The service refused an upload while it stored it, after the answer; nothing of it is kept. */
export class FailedWhileStoring extends ApiError {}

/** The answers to questions about an upload. */
export interface UploadChoices {
  zipIndexHtmlPath?: string;
  asFileBundle?: true;
  allowSecrets?: true;
  includeHidden?: true;
  takePictures?: true;
}

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
  /** While `asking`. */
  question: UploadQuestion | undefined;
  result: UploadResult | undefined;
}

/** An upload that a reload of this tab interrupted. The files themselves are not kept. */
export interface InterruptedUpload {
  id: string;
  account: string;
  title: string;
  target: UploadTarget;
  files: FileFacts[];
  announced: Output<'beginUpload'>;
  /** The numbers of those announced parts that were sent. */
  complete: number[];
  idempotencyKey: string;
}

/** What an upload is made of. */
export interface UploadParts {
  account: string;
  state: UploadState;
  notify: () => void;
  onPublished: (result: UploadResult) => void;
  choices?: UploadChoices;
  /** Present if a reload of the tab interrupted it. */
  interrupted?: InterruptedUpload;
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
    question: undefined,
    result: undefined,
  };
}

/** Weight of the latest second against those before it. */
const smoothing = 0.3;

/** The speed after another `bytes` in `seconds`, smoothed so that the time left does not jump. */
export function nextSpeed(before: number, bytes: number, seconds: number): number {
  const now = bytes / seconds;
  return before === 0 ? now : before + (now - before) * smoothing;
}

/** What was left out, and what else was noticed. */
export function noticesOf(
  picked: Picked,
  warnings: Warnings,
): Pick<UploadResult, 'leftOut' | 'remotePictures' | 'ignored'> {
  const remotePictures = remotePicturesOf(warnings);
  const ignored = warnings?.filter((one) => {
    if (!('kind' in one)) return true;
    return one.kind !== 'left-out' && (one.kind !== 'remote-pictures' || remotePictures === 0);
  });
  return { leftOut: leftOutOf(picked, warnings), remotePictures, ignored };
}

/** How many pictures on other sites can be taken along; 0 once that was tried. */
function remotePicturesOf(warnings: Warnings): number {
  const found = warnings?.find((one) => 'kind' in one && one.kind === 'remote-pictures');
  if (found === undefined || !('pictures' in found)) return 0;
  return found.pictures.some(({ reason }) => reason !== undefined) ? 0 : found.count;
}

/** What the browser and the service left out; undefined if it is nothing. */
export function leftOutOf({ leftOut }: Picked, warnings: Warnings): LeftOut | undefined {
  const warning = warnings?.find((one) => 'kind' in one && one.kind === 'left-out');
  const ofService = warning !== undefined && 'paths' in warning ? warning : { count: 0, paths: [] };
  const count = leftOut.paths.length + ofService.count;
  return count === 0 ? undefined : { count, paths: [...leftOut.paths, ...ofService.paths] };
}

/** The warnings of an answer that published. */
export type Warnings = Output<'createProject'>['warnings'];

/** Where this browser keeps the small picture of a project, or that of one of its drafts. */
export function thumbnailKey(projectId: string, draft = 0): string {
  return `thumbnail ${projectId} ${draft}`;
}
