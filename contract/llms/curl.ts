import type { Operation } from '../operation.ts';
import { exampleBody, examplePath } from '../operation-parts.ts';

/** A command that sends an operation's example. */
export function curl(baseUrl: string, operation: Operation): string {
  return ['curl', ...method(operation), ...credential(baseUrl, operation), ...body(operation)]
    .concat(toFile(operation))
    .concat(`${baseUrl}${examplePath(operation)}`)
    .map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : quoted(part)))
    .join(' ');
}

/** A GET, and a POST with a body, are what curl does by itself. */
function method({ method: verb, body: kind }: Operation): string[] {
  return verb === 'GET' || (verb === 'POST' && kind !== 'none') ? [] : ['-X', verb];
}

/** A picture is saved under its name. */
function toFile({ mediaTypes = [] }: Operation): string[] {
  return mediaTypes.some((type) => type.startsWith('image/')) ? ['-O'] : [];
}

function credential(baseUrl: string, { auth, method: verb }: Operation): string[] {
  if (auth === 'none') return [];
  if (auth === 'key' || auth === 'optional') return ['-H', 'authorization: Bearer $API_KEY'];
  const cookie = ['-b', '__Host-slipway-session=$SESSION'];
  return verb === 'GET' ? cookie : [...cookie, '-H', `origin: ${baseUrl}`];
}

function body(operation: Operation): string[] {
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

/** Double quotes where a variable is to be filled in, single ones for everything else. */
function quoted(part: string): string {
  if (/\$[A-Z]/.test(part)) return `"${part}"`;
  return `'${part.replaceAll("'", String.raw`'\''`)}'`;
}
