import { errorCatalogue } from '../errors.ts';
import { type Operation, isAnonymous, isCalledWithKey } from '../operation.ts';
import { errorsOf } from '../operation-errors.ts';
import { type Field, exampleBody, examplePath, fieldsOf } from '../operation-parts.ts';
import { isSchema, type JsonSchema, jsonSchema } from '../openapi/json-schema.ts';

const authTexts = {
  none: 'no credential',
  page: 'no credential',
  optional:
    '`Authorization: Bearer <API_KEY>`, or no credential within the limits for uploads without an account',
  key: '`Authorization: Bearer <API_KEY>`',
  'key-only': '`Authorization: Bearer <API_KEY>`',
  session: 'a browser session (cookie); API keys are not accepted',
};
const bodyTexts = {
  none: 'no body',
  json: 'JSON body',
  upload: 'multipart/form-data with files, or a JSON body with `uploadId` instead of `files`',
};

/** The section of one operation: request, response, errors and a command to try. */
export function operationText(baseUrl: string, operation: Operation): string {
  const { method, path, summary, auth, body, paid } = operation;
  const send = [authTexts[auth], bodyTexts[body], ...(paid ? ['paid plans only'] : [])].join('; ');
  return [
    `### ${method} ${path}`,
    summary,
    `Send: ${send}.${fieldList(operation)}`,
    answerText(operation),
    `Errors: ${errorsText(operation)}.`,
    `\`\`\`sh\n${curl(baseUrl, operation)}\n\`\`\``,
  ].join('\n\n');
}

function fieldList(operation: Operation): string {
  return fieldsOf(operation)
    .map((field) => `\n- ${fieldText(field)}`)
    .join('');
}

function fieldText({ name, in: place, required, schema }: Field): string {
  const where = place === 'body' ? '' : `${place}, `;
  const inner = innerObject(schema);
  const words = inner === undefined ? describeType(schema) : containerText(schema);
  const more = inner === undefined ? '' : properties(inner, '  ');
  return `\`${name}\` (${where}${required ? 'required' : 'optional'}): ${words}${more}`;
}

function answerText(operation: Operation): string {
  const { status, envelope, mediaTypes, output } = operation;
  if (mediaTypes !== undefined) return `Answer ${status}: ${mediaTypes.join(' or ')}.`;
  const schema = jsonSchema(output, 'output');
  const isList = schema.type === 'array';
  const holding = isList ? '`data` is a list of objects with' : '`data` has';
  const where = envelope === 'data' ? ` \`{"status":"success","data":…}\`, ${holding}` : ':';
  return `Answer ${status}${where}${properties(innerObject(schema) ?? schema, '')}`;
}

/** The fields of an object as a nested list. */
function properties(schema: JsonSchema, indent: string): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      if (!isSchema(property)) return `\n${indent}- \`${name}\``;
      const inner = innerObject(property);
      const words = inner === undefined ? describeType(property) : containerText(property);
      const more = inner === undefined ? '' : properties(inner, `${indent}  `);
      return `\n${indent}- \`${name}\`: ${words}${more}`;
    })
    .join('');
}

function innerObject(schema: JsonSchema): JsonSchema | undefined {
  const { items } = schema;
  const inner = schema.type === 'array' && isSchema(items) ? items : schema;
  return inner.type === 'object' && inner.properties !== undefined ? inner : undefined;
}

function containerText({ type }: JsonSchema): string {
  return type === 'array' ? 'list of objects with' : 'object with';
}

function errorsText(operation: Operation): string {
  return errorsOf(operation)
    .map((code) => `${code} (${errorCatalogue[code].status})`)
    .join(', ');
}

/** A schema in words: `string, 1 to 255 characters`, `"public" | "private"`, `integer or null`. */
function describeType(schema: JsonSchema): string {
  const { anyOf, default: fallback } = schema;
  const words =
    anyOf === undefined ? describeSimpleType(schema) : anyOf.map(describeType).join(' or ');
  return fallback === undefined ? words : `${words}, default ${JSON.stringify(fallback)}`;
}

function describeSimpleType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.format === 'binary') return 'file';
  if (schema.type === 'array') return describeArray(schema);
  return [describeKind(schema), ...describeBounds(schema)].join(', ');
}

function describeKind({ type, format }: JsonSchema): string {
  const kind = Array.isArray(type) ? type.join(' or ') : (type ?? 'any value');
  return format === undefined ? kind : `${kind} (${format})`;
}

function describeArray({ items, minItems }: JsonSchema): string {
  const of = isSchema(items) ? describeType(items) : 'any value';
  return minItems === undefined ? `list of ${of}` : `list of ${of}, at least ${minItems}`;
}

function describeBounds({ minLength, maxLength, minimum, maximum, pattern }: JsonSchema): string[] {
  return [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...(pattern === undefined ? [] : [`matching \`${pattern}\``]),
  ];
}

function range(low: number | undefined, high: number | undefined, unit: string): string[] {
  if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`];
  if (high !== undefined) return [`at most ${high}${unit}`];
  return low === undefined ? [] : [`at least ${low}${unit}`];
}

/** A command that sends an operation's example. */
function curl(baseUrl: string, operation: Operation): string {
  return [
    'curl',
    ...methodOption(operation),
    ...credentialOptions(baseUrl, operation),
    ...bodyOptions(operation),
  ]
    .concat(outputOption(operation))
    .concat(`${baseUrl}${examplePath(operation)}`)
    .map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : shellQuoted(part)))
    .join(' ');
}

/** curl uses GET by default, and POST if there is a body. */
function methodOption({ method: verb, body: kind }: Operation): string[] {
  return verb === 'GET' || (verb === 'POST' && kind !== 'none') ? [] : ['-X', verb];
}

/** Saves an image under its own file name. */
function outputOption({ mediaTypes = [] }: Operation): string[] {
  return mediaTypes.some((type) => type.startsWith('image/')) ? ['-O'] : [];
}

function credentialOptions(baseUrl: string, { auth, method: verb }: Operation): string[] {
  if (isAnonymous({ auth })) return [];
  if (isCalledWithKey({ auth })) return ['-H', 'authorization: Bearer $API_KEY'];
  const cookie = ['-b', '__Host-slipway-session=$SESSION'];
  return verb === 'GET' ? cookie : [...cookie, '-H', `origin: ${baseUrl}`];
}

function bodyOptions(operation: Operation): string[] {
  const fields = exampleBody(operation);
  if (operation.body === 'none') return [];
  if (operation.body === 'json') {
    return ['-H', 'content-type: application/json', '-d', JSON.stringify(fields)];
  }
  return Object.entries(fields).flatMap(([name, value]) => [
    '-F',
    name === 'files' ? 'files=@index.html' : `${name}=${String(value)}`,
  ]);
}

/** Double quotes if the text contains a variable, otherwise single quotes. */
function shellQuoted(part: string): string {
  if (/\$[A-Z]/.test(part)) return `"${part}"`;
  return `'${part.replaceAll("'", String.raw`'\''`)}'`;
}
