import * as z from 'zod';
import type { OAuthScope } from './oauth/oauth.ts';
import { jsonSchema } from './openapi/json-schema.ts';
import { type ToolIcon, toolIconPath } from './discovery/icons.ts';
import type { Operation } from './operation.ts';
import { fieldTexts } from './tools/field-texts.ts';

/** Effects of a call. All four are required: clients assume the worst for a missing hint. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** One tool of the MCP endpoint, and the only place that describes it. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** When to use this tool, and when another tool is better. Models choose tools by this text. */
  description: string;
  hints: ToolHints;
  /** The scope that a connected app needs; an API key has all scopes. */
  scope: OAuthScope;
  icon: ToolIcon;
  /** The HTTP operation that does the same: plan, errors and fields of the tool come from it. */
  operation: Operation;
  /** Strict, so that a misspelled field is an error. */
  input: I;
  output: O;
}

/** Keeps the exact input and output types of a tool while checking its shape. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Tool<I, O>,
): Tool<I, O> {
  return definition;
}

/** Hints of a tool that changes nothing. */
export const readOnlyHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const satisfies ToolHints;

/** Hints of a tool that changes data; repeating a call has no further effect. */
export const changingHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
} as const satisfies ToolHints;

const FieldSchema = z
  .object({
    type: z.literal('object'),
    properties: z.record(z.string(), z.record(z.string(), z.json())),
    required: z.array(z.string()).optional(),
  })
  .catchall(z.json());

/**
 * Keywords that do not help a model. They are left out, because the list of tools takes up tokens in every
 * conversation; a call that breaks them is refused with words that say why.
 */
const inputKeywords = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
]);
const outputKeywords = new Set([...inputKeywords, 'additionalProperties', 'required']);

const maxChoices = 4;

/**
 * Whether a keyword of an output tells a model nothing: a long list of possible values, which explain themselves when
 * they occur, or the fields of an object that names none.
 */
function isNeedless(name: string, value: unknown): boolean {
  if (outputKeywords.has(name)) return true;
  if (name === 'properties') return JSON.stringify(value) === '{}';
  return name === 'enum' && Array.isArray(value) && value.length > maxChoices;
}

/** A schema without the keywords that a test picks. */
function without(schema: unknown, isLeftOut: (name: string, value: unknown) => boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => without(one, isLeftOut));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => !isLeftOut(name, value));
  return Object.fromEntries(entries.map(([name, value]) => [name, without(value, isLeftOut)]));
}

/** A schema with `null` as a second type, which is shorter than a choice of two schemas. */
function withNullTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullTypes);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withNullTypes(value)]),
  );
  const Choices = z.tuple([
    z.looseObject({ type: z.string() }),
    z.strictObject({ type: z.literal('null') }),
  ]);
  const choices = Choices.safeParse(anyOf).data;
  if (choices === undefined) return anyOf === undefined ? rest : { ...rest, anyOf };
  return { ...choices[0], ...rest, type: [choices[0].type, 'null'] };
}

function withExamples(schema: z.infer<typeof FieldSchema>): z.infer<typeof FieldSchema> {
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const own = typeof field['description'] === 'string' ? field['description'] : undefined;
    if (own !== undefined && /example/i.test(own)) return [name, field];
    const description = [own, fieldTexts[name]].filter((text) => text !== undefined).join('. ');
    return [name, { ...field, description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/**
 * A tool as `tools/list` returns it.
 * @param baseUrl the address of the icons, without a slash at its end
 */
export function describeTool(
  { name, title, description, hints, icon, input, output }: Tool,
  baseUrl: string,
) {
  const sent = without(jsonSchema(input, 'input'), (word) => inputKeywords.has(word));
  const answered = without(jsonSchema(output, 'output'), isNeedless);
  return {
    name,
    title,
    description,
    inputSchema: withExamples(FieldSchema.parse(withNullTypes(sent))),
    outputSchema: FieldSchema.parse(withNullTypes(answered)),
    annotations: { title, ...hints },
    // Only `src`, because the list of tools takes up tokens in every conversation.
    icons: [{ src: baseUrl + toolIconPath(icon) }],
  };
}
