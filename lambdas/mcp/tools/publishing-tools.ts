import type * as z from 'zod';
import type { UploadedFile } from '../../../contract/fields.ts';
import { previewLifeSeconds } from '../../../contract/operations/previews.ts';
import type { createUploadLinkTool } from '../../../contract/tools/create-upload-link-tool.ts';
import type { publishSiteTool } from '../../../contract/tools/publish-site-tool.ts';
import type { PublishResult, ShownVersion } from '../../../contract/tools/shared-fields.ts';
import type { updateProjectFilesTool } from '../../../contract/tools/update-project-files-tool.ts';
import { requirePaid } from '../../../core/accounts/account.ts';
import type { CredentialCaller } from '../../../core/caller.ts';
import { decodeInlineFiles, decodeInlineZip } from '../../../core/content/inline-files.ts';
import { receivedHash } from '../../../core/content/received-hash.ts';
import { listPreviews } from '../../../core/projects/previews/manage-previews.ts';
import { putPreview } from '../../../core/projects/previews/put-preview.ts';
import { getProject } from '../../../core/projects/project-view.ts';
import { projectOfCall } from '../../../core/projects/publishing/publish-temp.ts';
import { createProject } from '../../../core/projects/publishing/create-project.ts';
import { duplicateProject } from '../../../core/projects/publishing/duplicate-project.ts';
import { invalidInput } from '../../http/invalid-input.ts';
import { services } from '../services.ts';
import { listProjectFiles } from '../../../core/projects/versions/list-files.ts';
import { changeProjectFiles } from '../../../core/projects/versions/update-files.ts';
import { createUploadLink } from '../../../core/upload-links/manage-upload-links.ts';
import { showVersion } from './project-tools.ts';
import type { CallContext, ToolAnswer } from '../bind-tool.ts';
import { askForHomePage, chosenHomePage } from './questions.ts';

type Shown = z.input<typeof ShownVersion>;
type Input = z.infer<typeof publishSiteTool.input>;

/**
 * Publishes the files of the call, or a copy of a project, as a new project. A person may choose the home
 * page of a ZIP with several.
 */
export async function publishSite(
  caller: CredentialCaller,
  input: Input,
  { callId, user }: CallContext,
) {
  const { files: _, zipBase64: __, idempotencyKey: ___, copyOf, ...fields } = input;
  if (copyOf === undefined) checkPassword(input);
  else checkCopy(input);
  const files = copyOf === undefined ? filesOf(input) : [];
  const repeat = callId === undefined ? undefined : await projectOfCall(services(), caller, callId);
  const { projectId } = repeat ?? {};
  const create = () =>
    createProject(services(), caller, {
      ...fields,
      zipIndexHtmlPath: chosenHomePage(user) ?? fields.zipIndexHtmlPath,
      projectId,
      files,
      // Keeps the paths exactly as sent, because a later merge refers to them.
      hasExactPaths: true,
    }).catch(askForHomePage(user));
  const copy = (original: string) =>
    duplicateProject(services(), caller, { ...fields, projectId: original, copyId: projectId });
  const created = repeat?.project ?? (copyOf === undefined ? await create() : await copy(copyOf));
  return publishAnswer({
    projectId: created.projectId,
    url: created.url,
    version: created.version,
    files: created.fileCount,
    bytes: created.bytes,
    ...(copyOf === undefined && { sha256: receivedHash(files) }),
    expiresAt: created.expiresAt,
    ...('uploadId' in created && { uploadId: created.uploadId }),
    warnings: created.warnings ?? [],
  });
}

/** The fields of `publish_site` that go with `copyOf`. `public` is the default of `access`, so it says nothing. */
const fieldsOfCopy = new Set(['copyOf', 'title', 'slug', 'domainId', 'idempotencyKey']);

/** A copy that seems to have other files or another access than its project is refused. */
function checkCopy({ access, ...input }: Input): void {
  const sent = { ...input, access: access === 'public' ? undefined : access };
  const others = Object.entries(sent).filter(
    ([name, value]) => value !== undefined && !fieldsOfCopy.has(name),
  );
  if (others.length === 0) return;
  const message =
    'does not go with `copyOf`: the copy has the files and settings of its project. Change it afterwards';
  throw invalidInput(
    'INVALID_REQUEST',
    others.map(([path]) => ({ path, message })),
  );
}

function filesOf({ files, zipBase64 }: Input): UploadedFile[] {
  const isFiles = files !== undefined && files.length > 0;
  if (isFiles === (zipBase64 !== undefined)) {
    throw invalidField(
      'files',
      'Send either at least one file in `files`, or a ZIP in `zipBase64`, but not both',
    );
  }
  return zipBase64 === undefined ? decodeInlineFiles(files ?? []) : [decodeInlineZip(zipBase64)];
}

/** A caller who sends a password wants to protect the page, so a password without `access: password` is refused. */
function checkPassword({ access, password }: Input): void {
  if (access === 'password' && password === undefined) {
    throw invalidField('password', 'is required when `access` is `password`');
  }
  if (access !== 'password' && password !== undefined) {
    throw invalidField(
      'password',
      `has no effect while \`access\` is \`${access}\`: send \`access: password\``,
    );
  }
}

function invalidField(path: string, message: string) {
  return invalidInput('INVALID_REQUEST', [{ path, message }]);
}

/** Publishes a new version of a project with the files of the call. */
export async function updateProjectFiles(
  caller: CredentialCaller,
  input: z.infer<typeof updateProjectFilesTool.input>,
  { scopes }: Pick<CallContext, 'scopes'>,
) {
  const { idempotencyKey: _, preview, ...update } = input;
  const files = decodeInlineFiles(input.files ?? []);
  if (preview !== undefined) return updatePreview(caller, preview, { ...update, files });
  const updated = await changeProjectFiles(services(), caller, { ...update, files });
  const facts = {
    projectId: updated.projectId,
    url: updated.url,
    version: updated.version,
    files: updated.fileCount,
    bytes: updated.bytes,
    sha256: receivedHash(files),
    expiresAt: updated.expiresAt,
    ...(updated.uploadId !== undefined && { uploadId: updated.uploadId }),
    warnings: updated.warnings ?? [],
  };
  if (!updated.isDraft) return publishAnswer(facts);
  const draft = await showVersion(caller, updated.projectId, { version: updated.version, scopes });
  return draftAnswer({ ...facts, draft });
}

type PreviewUpdate = Omit<z.infer<typeof updateProjectFilesTool.input>, 'files' | 'preview'> & {
  files: UploadedFile[];
};

/** Shows files at the address of a preview; the live version and its history stay as they are. */
async function updatePreview(
  caller: CredentialCaller,
  name: string,
  { projectId, mode, draft, expectedVersion, ...input }: PreviewUpdate,
): Promise<ToolAnswer<typeof PublishResult>> {
  requirePaid(caller.account, services().now());
  if (draft !== undefined || expectedVersion !== undefined) {
    throw invalidField('preview', 'does not go with `draft` and `expectedVersion`');
  }
  if (mode === 'replace' && input.delete !== undefined) {
    throw invalidField('delete', 'goes with `mode: merge` only');
  }
  const project = await getProject(services(), caller, { projectId });
  const put = await putPreview(services(), caller, {
    ...input,
    projectId,
    name,
    access: 'project',
    lifeSeconds: previewLifeSeconds('7d'),
    ...(mode === 'merge' && { mergeInto: await versionOfPreview(caller, projectId, name) }),
  });
  const { url, expiresAt, fileCount: files, sizeBytes: bytes, uploadId, warnings = [] } = put;
  const facts = { projectId, version: project.version, files, bytes, expiresAt, warnings };
  const place = url ?? project.url;
  const text = `${place}\nPreview ${name} of project ${projectId}, ${count(files, 'file')}, until ${expiresAt}. Version ${project.version} stays live.`;
  return { output: { ...facts, url: place, ...(uploadId !== undefined && { uploadId }) }, text };
}

/** @throws CodedError INVALID_REQUEST where the preview is not there yet */
async function versionOfPreview(caller: CredentialCaller, projectId: string, preview: string) {
  const { previews } = await listPreviews(services(), caller, { projectId });
  if (!previews.some(({ name }) => name === preview)) {
    throw invalidField('mode', 'must be `replace` for a preview that is not there yet');
  }
  return (await listProjectFiles(services(), caller, { projectId, preview, limit: 1 })).version;
}

/** A link for one upload, or several of a file request, with a page and a command to use it. */
export async function createLink(
  caller: CredentialCaller,
  input: z.infer<typeof createUploadLinkTool.input>,
) {
  const output = await createUploadLink(services(), caller, input);
  const { pageUrl, curlAnySize, expiresAt } = output;
  const { maxUploads = 1 } = input;
  const use = maxUploads === 1 ? 'works once' : `takes ${maxUploads} uploads`;
  return {
    output,
    text: `${pageUrl}\nA page where a person uploads files, also large ones. It ${use}, until ${expiresAt}. The upload itself publishes.\nFrom a shell, a file or ZIP of any size, without a key; replace FILE: ${curlAnySize}`,
  };
}

/**
 * The result of publishing: the URL first, then one line of facts. It contains no text that somebody
 * else wrote.
 */
function publishAnswer(output: z.input<typeof PublishResult>): ToolAnswer<typeof PublishResult> {
  const { url } = output;
  return {
    output,
    text: `${url}\n${summaryOf(output)}`,
    more: [{ type: 'resource_link', uri: url, name: 'Published site' }],
  };
}

/** The result for a draft: its preview link first, because visitors do not see a draft. */
function draftAnswer(output: z.input<typeof updateProjectFilesTool.output> & { draft: Shown }) {
  const { projectId, version, draft } = output;
  const { against, added, changed, removed, previewUrl, previewExpiresAt } = draft;
  const difference = `${added.length} added, ${changed.length} changed, ${removed.length} removed`;
  return {
    output,
    text: `${previewUrl}\nPreview of draft ${version} of project ${projectId}, until ${previewExpiresAt}. Against version ${against}, which stays live: ${difference}. To make the draft live, call update_project_settings with \`liveVersion: ${version}\`.`,
  };
}

function summaryOf(output: z.input<typeof PublishResult>): string {
  const { projectId, version, files, bytes, sha256, expiresAt, warnings, uploadId } = output;
  const isLive = version > 0 && uploadId === undefined;
  const state = isLive
    ? `Version ${version} of project ${projectId} is live`
    : `Project ${projectId} is still being stored and not live yet; get_project shows when it is`;
  const parts = [
    state,
    count(files, 'file'),
    count(bytes, 'byte'),
    ...(sha256 === undefined ? [] : [`received sha256 ${sha256}`]),
    expiresAt === null ? 'no expiry' : `expires ${expiresAt}`,
    warnings.length === 0 ? 'no warnings' : `${count(warnings.length, 'warning')} in \`warnings\``,
  ];
  return `${parts.join(', ')}.`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
