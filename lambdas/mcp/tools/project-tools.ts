import type * as z from 'zod';
import type { getProjectTool } from '../../../contract/tools/get-project-tool.ts';
import { effectiveTier, requirePaid } from '../../../core/accounts/account.ts';
import type { AccountCaller } from '../../../core/caller.ts';
import { getProject } from '../../../core/projects/project-view.ts';
import { listPreviews } from '../../../core/projects/previews/manage-previews.ts';
import { previewVersion } from '../../../core/projects/versions/create-preview-link.ts';
import { listDeployments } from '../../../core/projects/versions/deployment.ts';
import { diffVersion } from '../../../core/projects/versions/diff-version.ts';
import { listProjectFiles } from '../../../core/projects/versions/list-files.ts';
import { readFileTexts, type TextOfFile } from '../../../core/projects/versions/read-files.ts';
import { fileAddress } from '../project-resources.ts';
import { previewServices, services } from '../services.ts';
import type { CallContext } from '../bind-tool.ts';
import { type Block, text } from '../tool-result.ts';

type Input = z.infer<typeof getProjectTool.input>;

/**
 * The most files of one result, so that it stays far below what clients accept if paths have
 * ordinary lengths.
 */
const filesPerCall = 200;
const maxVersions = 20;

/** A project with its files, and the text of the files that were requested. */
export async function showProject(
  caller: AccountCaller,
  input: Input,
  { scopes }: Pick<CallContext, 'scopes'>,
) {
  const { projectId, readFiles, version, filesCursor: cursor } = input;
  if (version !== undefined) requirePaid(caller.account, services().now());
  const project = await getProject(services(), caller, { projectId });
  if (project.version === 0) {
    return { output: { ...project, versions: [], files: [], nextFilesCursor: null } };
  }
  const listed = await listProjectFiles(services(), caller, {
    projectId,
    // A cursor names its version.
    version: version ?? (cursor === undefined ? project.version : undefined),
    limit: filesPerCall,
    cursor,
  });
  const shown =
    version === undefined
      ? {}
      : { shown: await showVersion(caller, projectId, { version, scopes }) };
  const texts =
    readFiles === undefined
      ? undefined
      : await readFileTexts(services(), caller, {
          projectId,
          version: listed.version,
          paths: readFiles,
        });
  const facts = {
    ...project,
    versions: await keptVersions(caller, projectId),
    ...(await listPreviews(services(), caller, { projectId })),
    files: listed.files.map(({ path, size }) => ({ path, bytes: size })),
    nextFilesCursor: listed.nextCursor,
    ...shown,
  };
  if (texts === undefined) return { output: facts };
  return {
    output: { ...facts, texts: texts.files },
    text: JSON.stringify(facts),
    more: texts.files.map((file) => textBlock(projectId, file)),
  };
}

/** The kept versions; on a plan without earlier versions, only the live one. */
async function keptVersions(caller: AccountCaller, projectId: string) {
  const isFree = effectiveTier(caller.account, services().now()) === 'free';
  const kept = await listDeployments(services(), caller, { projectId });
  return kept
    .filter(({ status }) => status === 'active' || !isFree)
    .slice(0, maxVersions)
    .map(({ version, status, sizeBytes: bytes, createdAt }) => ({
      version,
      status,
      bytes,
      createdAt,
    }));
}

/** The difference between a kept version and the live one, with a preview if the agent may make one. */
export async function showVersion(
  caller: AccountCaller,
  projectId: string,
  { version, scopes }: { version: number } & Pick<CallContext, 'scopes'>,
) {
  const input = { projectId, version: String(version) };
  const difference = await diffVersion(services(), caller, input);
  if (!scopes.includes('projects:write')) return { version, ...difference };
  const { url, expiresAt } = await previewVersion(previewServices(), caller, input);
  return { version, previewUrl: url, previewExpiresAt: expiresAt, ...difference };
}

/** The text as a separate block, so that no client has to unescape it, or the problem as a sentence. */
function textBlock(projectId: string, file: TextOfFile): Block {
  if (file.text === undefined) return text(`${JSON.stringify(file.path)} ${file.problem}`);
  const uri = fileAddress(projectId, file.path);
  return { type: 'resource', resource: { uri, text: file.text } };
}
