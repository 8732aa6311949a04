/** The first media type of a `Content-Type` or `Accept` value, without parameters, in lower case. */
export function firstMediaType(header: string | undefined): string {
  return (header ?? '').split(',', 1)[0]?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * True when the API treats the type as binary. Parameters such as a multipart boundary do not
 * matter, and of an `Accept` list only the first type does, as the service documents.
 */
export function isBinary(header: string | undefined, binaryMediaTypes: readonly string[]): boolean {
  const mediaType = firstMediaType(header);
  return binaryMediaTypes.some((binary) => {
    const wanted = firstMediaType(binary);
    if (wanted === '*/*' || wanted === mediaType) return true;
    return wanted.endsWith('/*') && mediaType.startsWith(wanted.slice(0, -1));
  });
}
