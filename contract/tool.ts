import * as z from 'zod';
import type { OAuthScope } from './oauth/oauth.ts';
import { jsonSchema } from './openapi/json-schema.ts';
import type { Operation } from './operation.ts';

/** The tools of the MCP endpoint, in the order in which it lists them. */
export const toolNames = [
  'publish_site',
  'create_upload_link',
  'update_project_files',
  'update_project_settings',
  'delete_project',
  'list_projects',
  'get_project',
  'get_link_opens',
  'get_qr_code',
  'get_account',
] as const;
export type ToolName = (typeof toolNames)[number];

/** What a call does to the world. All four are said: a client takes the worst for what is left out. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** One tool of the MCP endpoint, and the only place that describes it. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: ToolName;
  title: string;
  /** When to use it, and when another tool is better; models choose by this alone. */
  description: string;
  hints: ToolHints;
  /** What a connected app needs; an API key may do everything. */
  scope: OAuthScope;
  /** The operation that does the same over HTTP: its plan, its errors and its fields hold here too. */
  operation: Operation;
  /** Strict: a field that is mistyped must not be passed over. */
  input: I;
  output: O;
}

/** Keeps the exact input and output types of a tool while checking its shape. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Tool<I, O>,
): Tool<I, O> {
  return definition;
}

/** The hints of a tool that only looks. */
export const looksOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const satisfies ToolHints;

/** The hints of a tool that changes what is there, to the same effect however often it is called. */
export const changes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
} as const satisfies ToolHints;

/** A schema of fields, as plain JSON. */
const FieldSchema = z
  .object({
    type: z.literal('object'),
    properties: z.record(z.string(), z.record(z.string(), z.json())),
    required: z.array(z.string()).optional(),
  })
  .catchall(z.json());

/** A tool as `tools/list` tells it. */
export function describeTool({ name, title, description, hints, input, output }: Tool) {
  const { additionalProperties: _, ...answered } = jsonSchema(output, 'output');
  return {
    name,
    title,
    description,
    inputSchema: FieldSchema.parse(jsonSchema(input, 'input')),
    outputSchema: FieldSchema.parse(answered),
    annotations: { title, ...hints },
  };
}
