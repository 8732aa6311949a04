/** Formats that programs read as bytes and that have no registered type: they never count as text. */
const plainBytes =
  'onnx safetensors gguf tflite task npy npz h5 splat ksplat spz basis drc usd usdc riv fgb bin ' +
  'mem data dat ipa appimage br';

/**
 * Types by extension that the package lacks, or that it has with another meaning: `.ts` is
 * TypeScript, unless its bytes are a video. Registered with IANA, or as the format's own documents
 * name them.
 */
export const corrections: ReadonlyMap<string, string> = new Map([
  ['ts', 'text/plain'],
  ['mts', 'text/plain'],
  ['cts', 'text/plain'],
  ['tsx', 'text/plain'],
  ['jsx', 'text/plain'],
  ['py', 'text/x-python'],
  // The type for the manifest of an app (Apple, "Distribute proprietary in-house apps").
  ['plist', 'text/xml'],
  ['mobileconfig', 'application/x-apple-aspen-config'],
  ['mobileprovision', 'application/x-apple-aspen-mobileprovision'],
  ['ndjson', 'application/x-ndjson'],
  ['jsonl', 'application/jsonl'],
  ['topojson', 'application/json'],
  ['har', 'application/json'],
  ['pmtiles', 'application/vnd.pmtiles'],
  ['mbtiles', 'application/vnd.sqlite3'],
  ['sqlite', 'application/vnd.sqlite3'],
  ['sqlite3', 'application/vnd.sqlite3'],
  ['parquet', 'application/vnd.apache.parquet'],
  ['arrow', 'application/vnd.apache.arrow.file'],
  ['arrows', 'application/vnd.apache.arrow.stream'],
  ['feather', 'application/vnd.apache.arrow.file'],
  ['ipc', 'application/vnd.apache.arrow.file'],
  ['ply', 'model/ply'],
  ['vrm', 'model/gltf-binary'],
  ['reality', 'model/vnd.reality'],
  ['hdr', 'image/vnd.radiance'],
  ['pam', 'image/x-portable-arbitrarymap'],
  ['cur', 'image/vnd.microsoft.icon'],
  ['fods', 'application/vnd.oasis.opendocument.spreadsheet-flat-xml'],
  ['fodt', 'application/vnd.oasis.opendocument.text-flat-xml'],
  ['fodp', 'application/vnd.oasis.opendocument.presentation-flat-xml'],
  ['rtf', 'text/rtf'],
  ['mmd', 'text/vnd.mermaid'],
  ['mermaid', 'text/vnd.mermaid'],
  ['cmfv', 'video/mp4'],
  ['cmfa', 'audio/mp4'],
  ['zst', 'application/zstd'],
  ['tgz', 'application/gzip'],
  ...plainBytes.split(' ').map((extension) => [extension, 'application/octet-stream'] as const),
]);

/** Files without an extension that clients accept as JSON only, by their name. */
const jsonNames: ReadonlySet<string> = new Set(['apple-app-site-association']);

/** The same, by their path below `.well-known/` (IANA, "Well-Known URIs"). */
const wellKnown: ReadonlyMap<string, string> = new Map([
  ...(
    'openid-configuration oauth-authorization-server oauth-protected-resource openid-federation ' +
    'matrix/client matrix/server matrix/support nodeinfo webfinger passkey-endpoints webauthn ' +
    'uma2-configuration smart-configuration jwks'
  )
    .split(' ')
    .map((name) => [name, 'application/json'] as const),
  ['host-meta', 'application/xrd+xml'],
]);

/** The type of a file without an extension, if its whole name tells it. */
export function typeOfName(path: string): string | undefined {
  const below = /(?:^|\/)\.well-known\/(.+)$/.exec(path)?.[1];
  if (below !== undefined && wellKnown.has(below)) return wellKnown.get(below);
  return jsonNames.has(path.slice(path.lastIndexOf('/') + 1)) ? 'application/json' : undefined;
}
