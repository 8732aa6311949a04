import type { AccountCaller } from '../../core/caller.ts';
import { CodedError } from '../../core/errors.ts';
import { listProjectPage } from '../../core/projects/list-projects.ts';
import { listProjectFiles } from '../../core/projects/versions/list-files.ts';
import { readFile } from '../../core/projects/versions/read-files.ts';
import { limitAnswer } from '../http/authorize.ts';
import { services } from './services.ts';

const start = 'slipway://projects/';

/** The template of all resources. `+`, because paths contain slashes (RFC 6570 §3.2.3). */
export const resourceTemplates = [
  {
    uriTemplate: `${start}{id}/files/{+path}`,
    name: 'project_file',
    title: 'A file of a project',
    description: 'A file of the live version of a project, as it was uploaded; at most 1 MB.',
  },
];

/** The address of a project's file as a resource. */
export function fileAddress(projectId: string, path: string): string {
  return `${start}${projectId}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** A page reads few projects, so that it takes no longer than other requests. */
const projectsPerPage = 10;
const filesPerProject = 100;

/**
 * The files of the caller's projects, newest projects first. The cursor counts projects. Of a project
 * with many files a page has the first hundred; get_project lists all.
 */
export async function listResources(caller: AccountCaller, cursor = '0') {
  if (!/^\d{1,9}$/.test(cursor)) throw invalidCursor();
  const offset = Number(cursor);
  const { projects } = await listProjectPage(services(), caller, {
    archived: 'false',
    limit: projectsPerPage + 1,
    offset,
  });
  const shown = projects.slice(0, projectsPerPage);
  const pages = await Promise.all(shown.map((project) => resourcesOf(caller, project)));
  const next = String(offset + projectsPerPage);
  return {
    resources: pages.flat(),
    ...(projects.length > projectsPerPage && { nextCursor: next }),
  };
}

interface ListedProject {
  id: string;
  title: string;
  status: string;
}

async function resourcesOf(caller: AccountCaller, { id, title, status }: ListedProject) {
  if (status === 'uploading') return [];
  const query = { projectId: id, limit: filesPerProject };
  const listed = await listProjectFiles(services(), caller, query).catch(withoutDeleted);
  return (listed?.files ?? []).map(({ path, size, contentType: mimeType }) => ({
    uri: fileAddress(id, path),
    name: path,
    title: `${title}: ${path}`,
    mimeType,
    size,
  }));
}

/** Another request may delete a project while its list is made. */
function withoutDeleted(error: unknown): undefined {
  if (error instanceof CodedError && error.code === 'NOT_FOUND') return;
  throw error;
}

function invalidCursor(): CodedError {
  const message = 'is not a cursor of this list';
  return new CodedError('INVALID_REQUEST', {
    error: `\`cursor\` ${message}.`,
    nextStep: 'Call resources/list without a cursor.',
    details: [{ path: 'cursor', message }],
  });
}

/** The content of a file, as text where it is text. */
export async function readResource(caller: AccountCaller, uri: string) {
  const named = parseAddress(uri);
  if (named === undefined) {
    throw new CodedError('NOT_FOUND', {
      error: 'No resource has this address.',
      nextStep: `Addresses look like ${start}PROJECT_ID/files/index.html. Call resources/list or get_project.`,
    });
  }
  const { contentType: mimeType, bytes, text } = await readFile(services(), caller, named);
  await limitAnswer(caller, bytes.length);
  const content = text === undefined ? { blob: Buffer.from(bytes).toString('base64') } : { text };
  return { contents: [{ uri, mimeType, ...content }] };
}

function parseAddress(uri: string): { projectId: string; path: string } | undefined {
  const found = /^slipway:\/\/projects\/([0-9a-f-]{36})\/files\/(.+)$/s.exec(uri);
  const [, projectId, path] = found ?? [];
  if (projectId === undefined || path === undefined) return undefined;
  try {
    return { projectId, path: decodeURIComponent(path) };
  } catch {
    return undefined;
  }
}

/** The most values that a completion may have (MCP, "Completion"). */
const maxCompletions = 100;

/**
 * A completion that a client requests: for one argument of a template, given the values of the
 * others.
 */
export interface CompletionRequest {
  ref: { type: string; uri?: string; name?: string };
  argument: { name: string; value: string };
  context?: { arguments?: Readonly<Record<string, string>> | undefined } | undefined;
}

/**
 * Completes `id` by titles and addresses, and `path` by the files of the project that the context names.
 * @throws CodedError INVALID_REQUEST for anything but the template of files; there are no prompts
 */
export async function completeResource(
  caller: AccountCaller,
  { ref, argument: { name, value }, context }: CompletionRequest,
) {
  if (!resourceTemplates.some(({ uriTemplate }) => uriTemplate === ref.uri)) throw unknownRef();
  const known = context?.arguments ?? {};
  const values =
    name === 'path'
      ? await paths(caller, known['id'], value)
      : name === 'id'
        ? await ids(caller, value)
        : [];
  return {
    completion: {
      values: values.slice(0, maxCompletions),
      hasMore: values.length > maxCompletions,
    },
  };
}

function unknownRef(): CodedError {
  const message = 'is not the template of a resource';
  return new CodedError('INVALID_REQUEST', {
    error: `\`ref\` ${message}.`,
    nextStep: 'Call resources/templates/list for the templates whose arguments can be completed.',
    details: [{ path: 'ref', message }],
  });
}

async function ids(caller: AccountCaller, value: string): Promise<string[]> {
  const query = { archived: 'false', limit: maxCompletions + 1, offset: 0 } as const;
  const { projects } = await listProjectPage(services(), caller, { ...query, q: value });
  return projects.map(({ id }) => id);
}

async function paths(
  caller: AccountCaller,
  projectId: string | undefined,
  value: string,
): Promise<string[]> {
  if (projectId === undefined) return [];
  const query = { projectId, q: value, limit: maxCompletions + 1 };
  const listed = await listProjectFiles(services(), caller, query).catch(withoutDeleted);
  return (listed?.files ?? []).map(({ path }) => path);
}
