/** How an answer is packed on its way. */
export type Coding = 'br' | 'gzip';

/** Below this an answer fits into one packet however it is sent. */
export const minEncodedBytes = 860;

/** Types that grow smaller: text, and programs and fonts that are not packed themselves. */
const packable =
  /^(?:text\/|application\/(?:javascript|json|xml|wasm|rtf|manifest\+json|vnd\.ms-fontobject|x-font-|.*\+(?:json|xml))|image\/(?:svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)|font\/(?:ttf|otf|collection)|model\/(?:gltf\+json|obj|stl))/;

/** Whether a file is sent packed to whoever takes it so. */
export function isEncodable(contentType: string, size: number): boolean {
  return size >= minEncodedBytes && packable.test(contentType);
}

/**
 * The coding that a client likes best (RFC 9110 §12.5.3), `undefined` for none. Of two that it
 * likes equally well the smaller one is taken.
 */
export function chooseEncoding(
  acceptEncoding: string,
  contentType: string,
  size: number,
): Coding | undefined {
  if (!isEncodable(contentType, size)) return undefined;
  const weights = readWeights(acceptEncoding);
  const any = weights.get('*') ?? 0;
  const br = weights.get('br') ?? any;
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? any;
  const best = br >= gzip ? br : gzip;
  // What is not named is as good as nothing: whoever names a coding likes it better.
  if (best === 0 || best < (weights.get('identity') ?? 0)) return undefined;
  return br >= gzip ? 'br' : 'gzip';
}

function readWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (name === '') continue;
    // §12.4.2: up to three digits after the point; what is none counts as not wanted.
    weights.set(name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  return weights;
}
