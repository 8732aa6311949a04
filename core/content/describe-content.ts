import type {
  ContentWarning,
  LeftOutWarning,
  PictureWarning,
  ProjectType,
} from '../../contract/fields.ts';
import { detectTypeAndHome, type UploadOptions } from './choose-home.ts';
import { collectSiteRules, maxRulesFileBytes } from '../site-rules/collect-site-rules.ts';
import { isHostingFile } from '../site-rules/rules-file.ts';
import { detectType, titleFromNames } from './detect-type.ts';
import { leftOutWarnings } from './left-out/leave-out.ts';
import {
  filesInFolder,
  type IncomingFile,
  keepsTopFolder,
  namedInFolder,
  pathInFolder,
} from './place-files.ts';
import { chosenTitle, titleBytes } from './page-title.ts';
import { folderWarning, maxPageBytes } from './top-folder.ts';

/** A checked upload: its type, its home page if it is a site, and its files with safe paths. */
export interface PreparedUpload {
  type: ProjectType;
  home: string | null;
  /** A single file of an unknown format: if its content is text, its type is `code`. */
  mayBeText?: boolean;
  /** Made from the names of the files. */
  title: string;
  /** The title that somebody gave to the home page, where it can be read now. */
  homeTitle?(): Promise<string | undefined>;
  fileCount: number;
  bytes: number;
  /** Whether it is published even if its files seem to contain keys. */
  allowSecrets?: boolean | undefined;
  /**
   * The bytes that are unpacked while it is published, including files of an archive that are left
   * out.
   */
  unpackedBytes?: number | undefined;
  /** Warnings about the names, about files that were left out, and about pictures that could not be taken along. */
  warnings?: readonly (ContentWarning | LeftOutWarning | PictureWarning)[];
  /** Its Markdown files, where they can be read now. */
  texts?(): AsyncIterable<UploadedText>;
  /** Whether it has a file of this path. */
  has?(path: string): boolean;
  /** The files. Read each to its end before you request the next. May be called again. */
  files(): AsyncIterable<IncomingFile>;
  /** The new folder that a merge puts them into; their paths begin with it. */
  folder?: string;
}

/** A Markdown file of an upload, which is read when it is asked for. */
export interface UploadedText {
  path: string;
  size: number;
  bytes(): Promise<Uint8Array | undefined>;
}

interface UploadContent {
  files: readonly { path: string; size: number }[];
  /** The folder that was removed from their paths (`site/`), or empty. */
  topFolder: string;
  leftOut: readonly string[];
  isArchive: boolean;
  unpackedBytes?: number;
  /** Reads one file; `undefined` if it cannot be read yet. */
  look: (path: string) => Promise<Uint8Array | undefined>;
  read: () => AsyncIterable<IncomingFile>;
}

/** Describes an upload whose names and sizes are known. */
export async function describeContent(
  options: UploadOptions,
  names: readonly string[],
  content: UploadContent,
): Promise<PreparedUpload> {
  const { files, topFolder, isArchive } = content;
  const isKept = await keepsTopFolder(options, content);
  const paths = files.map(({ path }) => (isKept ? pathInFolder(topFolder, path) : path));
  const choice = isKept ? namedInFolder(options, paths, topFolder) : options;
  const detected = detectTypeAndHome(choice, {
    paths,
    topFolder: isKept ? '' : topFolder,
    isArchive,
  });
  const found = (await siteOfRules(options, content, detected)) ?? detected;
  const isNoticed = topFolder !== '' && found.home !== null;
  const warnings = [
    ...leftOutWarnings(content.leftOut),
    ...(isNoticed ? [folderWarning(topFolder, isKept)] : []),
  ];
  const isUnknown = found.type === 'files' && paths.length === 1 && !isArchive;
  return {
    ...found,
    ...(isUnknown && options.asFileBundle !== true && { mayBeText: true }),
    title: titleFromNames(names, topFolder),
    homeTitle: () =>
      titleOfHome(content, isKept ? found.home?.slice(topFolder.length) : found.home),
    fileCount: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    allowSecrets: options.allowSecrets,
    unpackedBytes: content.unpackedBytes,
    ...(warnings.length > 0 && { warnings }),
    texts: () => textsOf(content),
    has: (path) => content.files.some((file) => file.path === path),
    files: isKept ? () => filesInFolder(topFolder, content.read()) : content.read,
  };
}

/** Looks only at a page that is small enough to be read whole. */
async function titleOfHome(
  { files, look }: UploadContent,
  home: string | null | undefined,
): Promise<string | undefined> {
  const page = files.find(({ path, size }) => path === home && size <= maxPageBytes);
  const bytes = page && (await look(page.path));
  return bytes && chosenTitle(new TextDecoder().decode(bytes.subarray(0, titleBytes)));
}

/** The Markdown files among files, each of which is read when it is asked for. */
export async function* textsOf({
  files,
  look,
}: Pick<UploadContent, 'files' | 'look'>): AsyncGenerator<UploadedText> {
  for (const { path, size } of files) {
    if (detectType(path) === 'markdown') yield { path, size, bytes: () => look(path) };
  }
}

/** A site without a page: files that hold nothing but rules, at least one of which can be followed. */
async function siteOfRules(
  { asFileBundle }: UploadOptions,
  { files, isArchive, read }: UploadContent,
  { home }: Pick<PreparedUpload, 'home'>,
): Promise<Pick<PreparedUpload, 'type' | 'home'> | undefined> {
  if (home !== null || asFileBundle === true || (files.length === 1 && !isArchive))
    return undefined;
  const isOnlyRules = files.every(
    ({ path, size }) => isHostingFile(path) && size <= maxRulesFileBytes,
  );
  if (!isOnlyRules) return undefined;
  const collected = collectSiteRules('site', read());
  for await (const { content } of collected.files) for await (const _ of content);
  if (collected.rules().rules === undefined) return undefined;
  return { type: isArchive ? 'zip' : 'html', home: 'index.html' };
}
