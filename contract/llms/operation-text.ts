import { errorCatalogue } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { errorsOf } from '../operation-errors.ts';
import { type Field, fieldsOf } from '../operation-parts.ts';
import { type JsonSchema, jsonSchema } from '../openapi/json-schema.ts';
import { curl } from './curl.ts';
import { isSchema, describeType } from './describe-type.ts';

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
