/** The longest name of a preview: enough for a branch, and beside most slugs in one label of a host. */
export const maxPreviewName = 30;

/**
 * Whether a text may name a preview: a part of a host name that is no version (`v3`), and that no slug contains
 * (`--`).
 */
export function isPreviewName(text: string): boolean {
  return (
    text.length <= maxPreviewName && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && !/^v\d+$/.test(text)
  );
}
