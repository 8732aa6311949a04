import * as z from 'zod';
import { Instant, PathId, WorkspaceId, Title } from '../fields.ts';
import { example, exampleWorkspace } from '../examples.ts';
import { operation } from '../operation.ts';

const WorkspaceSummary = z.object({
  id: WorkspaceId,
  name: z.string(),
  projectCount: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
});

/** `GET /v1/workspaces`: the account's workspaces, newest first. */
export const listWorkspaces = operation({
  id: 'listWorkspaces',
  group: 'workspaces',
  route: 'GET /v1/workspaces',
  summary: 'List your workspaces, newest first.',
  auth: 'key',
  paid: true,
  input: z.object({}),
  output: z.object({ workspaces: z.array(WorkspaceSummary) }),
  example: {
    input: {},
    output: { workspaces: [exampleWorkspace] },
  },
});

/** `POST /v1/workspaces`: creates an empty workspace. */
export const createWorkspace = operation({
  id: 'createWorkspace',
  group: 'workspaces',
  route: 'POST /v1/workspaces',
  summary: 'Create a workspace, a folder for projects.',
  auth: 'key',
  paid: true,
  body: 'json',
  input: z.strictObject({ name: Title }),
  output: WorkspaceSummary,
  status: 201,
  invalid: 'VALIDATION_FAILED',
  errors: ['WORKSPACE_LIMIT_REACHED'],
  example: {
    input: { name: 'Clients' },
    output: exampleWorkspace,
  },
});

/** `PATCH /v1/workspaces/{workspaceId}`: renames a workspace. */
export const renameWorkspace = operation({
  id: 'renameWorkspace',
  group: 'workspaces',
  route: 'PATCH /v1/workspaces/{workspaceId}',
  summary: 'Rename a workspace.',
  auth: 'key',
  paid: true,
  body: 'json',
  input: z.strictObject({ workspaceId: PathId, name: Title }),
  output: WorkspaceSummary,
  invalid: 'VALIDATION_FAILED',
  errors: ['NOT_FOUND'],
  example: {
    input: { workspaceId: example.workspaceId, name: 'Clients' },
    output: exampleWorkspace,
  },
});

/** `DELETE /v1/workspaces/{workspaceId}`: deletes a workspace; its projects are kept. */
export const deleteWorkspace = operation({
  id: 'deleteWorkspace',
  group: 'workspaces',
  route: 'DELETE /v1/workspaces/{workspaceId}',
  summary: 'Delete a workspace. Its projects are kept and belong to no workspace.',
  auth: 'key',
  paid: true,
  input: z.object({ workspaceId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: {
    input: { workspaceId: example.workspaceId },
    output: { deleted: true },
  },
});
