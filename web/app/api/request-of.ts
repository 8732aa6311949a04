/** What a request is made from. */
interface Callable {
  method: string;
  path: string;
  body: 'none' | 'json' | 'upload';
}

/** A request that `fetch` can send. */
interface PreparedRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** Puts fields into the path, and the others into the query or a JSON body. Undefined fields are left out. */
export function requestOf({ method, path, body }: Callable, input: object): PreparedRequest {
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  const isInPath = ([name]: [string, unknown]) => path.includes(`{${name}}`);
  const url = fields
    .filter(isInPath)
    .reduce((url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(`${value}`)), path);
  const others = fields.filter((field) => !isInPath(field));
  if (body !== 'none') {
    const headers = { 'content-type': 'application/json' };
    return { url, method, headers, body: JSON.stringify(Object.fromEntries(others)) };
  }
  const query = new URLSearchParams(
    others.map(([name, value]): [string, string] => [name, `${value}`]),
  ).toString();
  return { url: query === '' ? url : `${url}?${query}`, method, headers: {} };
}
