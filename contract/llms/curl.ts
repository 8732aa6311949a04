import { isAnonymous, isCalledWithKey, type Operation } from '../operation.ts';
import { exampleBody, examplePath } from '../operation-parts.ts';

/** A command that sends an operation's example. */
export function curl(baseUrl: string, operation: Operation): string {
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
