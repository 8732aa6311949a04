const mostCharacters = 120;

/**
 * A name that a file may be saved under: without folders, controls, characters that turn text around
 * (so that `exe.gnp` is not read as a picture), those that Windows refuses, and dots in front.
 */
export function safeFileName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const plain = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/(?<![.\s])[.\s]+$/, '');
  if (plain.length <= mostCharacters) return plain || 'unnamed';
  const end = /\.\w{1,10}$/.exec(plain)?.[0] ?? '';
  return plain.slice(0, mostCharacters - end.length) + end;
}
