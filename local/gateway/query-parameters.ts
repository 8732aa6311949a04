/**
 * The query as the service hands it on: decoded once, `+` is a space, `;` separates as `&` does.
 * A `%` that starts no escape stays as it is, and bytes that are no UTF-8 become U+FFFD.
 */
export function queryParameters(query: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const part of query.split(/[&;]/)) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  }
  return parameters;
}

function decode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (escapes) =>
      Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
    );
}
